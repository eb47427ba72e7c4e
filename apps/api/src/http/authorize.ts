import { Problem } from '@platform/kernel';
import { type Authenticator, type Principal, readToken } from '@platform/tokens';
import type { Access } from '../endpoint/descriptor.ts';
import { type CookiePolicy, credentialOf, type Presented } from './credential.ts';
import type { RequestContext } from './request-context.ts';

/** The part of a request that decides who may call. */
export interface AuthorizedRequest extends Presented {
  readonly context: RequestContext;
  readonly params: Readonly<Record<string, string | readonly string[]>>;
}

/** Lets a caller in, or refuses with `unauthenticated` (401) or `forbidden` (403); null for public endpoints. */
export type Authorize = (access: Access, request: AuthorizedRequest) => Promise<Principal | null>;

/** Authorization in front of every endpoint. It looks at headers only, so nothing of path or body can show through a refusal. */
export function createAuthorize(authenticator: Authenticator, cookie: CookiePolicy): Authorize {
  return async (access, request) => {
    if (access === 'public') return null;
    const credential = credentialOf(request, cookie);
    if (credential === null) throw new Problem('unauthenticated', 'A valid bearer token is required.');
    const { from, token } = credential;
    const principal =
      from === 'cookie'
        ? await authenticator.session(token)
        : await authenticator.bearer(token, { project: projectOf(request) });
    // Set before refusing, so that the refusal can be recorded with who was refused.
    request.context.principal = principal;
    request.context.expiresAt = () => expiryOf(token);
    if (!mayEnter(access, principal)) throw forbidden();
    return principal;
  };
}

/** The `exp` of a token that was verified before. */
function expiryOf(token: string): number | null {
  const exp = readToken(token)?.claims['exp'];
  return typeof exp === 'number' ? exp : null;
}

// Raw external tokens of service accounts count at the endpoints of their project only (docs/tokens.md).
function projectOf(request: AuthorizedRequest): string | undefined {
  const { project } = request.params;
  return typeof project === 'string' ? project : undefined;
}

function mayEnter(access: Access, { type }: Principal): boolean {
  if (access === 'user') return type === 'user' || type === 'operator';
  if (access === 'platform') return type === 'operator' || type === 'controller';
  return true;
}

// Collections must not be probed for existence: this says the same whatever was asked for.
function forbidden(): Problem {
  return new Problem('forbidden', 'The caller has no access to this API.');
}
