import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '@platform/kernel';
import { maxUserAgent } from '@platform/resources';
import { type Authenticator, type BearerScope, type Principal, readToken } from '@platform/tokens';
import { parse } from 'cookie';
import type { Access } from '../endpoint/descriptor.ts';
import type { RequestContext } from './request-context.ts';

/** The part of a request that can present a credential. */
export interface Presented {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** The name of the session cookie, and the origin whose requests may use it. */
export interface CookiePolicy {
  /** `platform_session`, or `__Host-platform_session` where cookies are secure. */
  readonly name: string;
  /** The origin of the platform itself, of `server.public_url`. */
  readonly origin: string;
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const bearerScheme = /^bearer +([\w.~+/-]+=*) *$/i;

/** A token and where it was found: a cookie may hold a session and nothing else. */
export interface Credential {
  readonly from: 'header' | 'cookie';
  readonly token: string;
}

/**
 * The token that a request presents, or null when it presents none that counts. An `Authorization` header takes precedence over a cookie,
 * also when it is not valid.
 */
export function credentialOf(request: Presented, cookie: CookiePolicy): Credential | null {
  if (request.headers.authorization !== undefined) {
    const token = bearerOf(request);
    return token === null ? null : { from: 'header', token };
  }
  if (request.headers.cookie === undefined) return null;
  // Cross-site request forgery: browsers attach the cookie to requests that another site makes. Only the platform's own
  // pages can send its Origin.
  const safe = safeMethods.has(request.method ?? '');
  if (!safe && request.headers.origin !== cookie.origin) return null;
  const token = readCookie(request, cookie.name);
  return token === null ? null : { from: 'cookie', token };
}

/** The token of an `Authorization` header; null without one. */
export function bearerOf({ headers }: Presented): string | null {
  return bearerScheme.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** The value of a cookie as it was sent, or null. Of two with one name the first counts: the one with the longer path. */
export function readCookie({ headers }: Presented, name: string): string | null {
  if (headers.cookie === undefined) return null;
  return parse(headers.cookie, { decode: (value) => value })[name] ?? null;
}

/** The names of the cookies of a request with their values as they were sent, in its order. */
export function cookiesOf({ headers }: Pick<Presented, 'headers'>): readonly (readonly [string, string])[] {
  return Object.entries(parse(headers.cookie ?? '', { decode: (value) => value })).map(([name, value]) => [
    name,
    value ?? '',
  ]);
}

/** The part of a request that decides who may call. */
export interface AuthorizedRequest extends Presented {
  readonly context: RequestContext;
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  readonly ip?: string | undefined;
}

/** Authorizes the caller, or refuses with `unauthenticated` (401) or `forbidden` (403); null for public endpoints. */
export type Authorize = (access: Access, request: AuthorizedRequest) => Promise<Principal | null>;

/** Authorization in front of every endpoint. It looks at headers only, so nothing of path or body can show through a refusal. */
export function createAuthorize(authenticator: Authenticator, cookie: CookiePolicy): Authorize {
  return async (access, request) => {
    if (access === 'public') return null;
    const credential = credentialOf(request, cookie);
    if (credential === null) {
      if (access === 'userOrClient' && request.headers.authorization === undefined) return null;
      throw new Problem('unauthenticated', 'A valid bearer token is required.');
    }
    const { from, token } = credential;
    const principal =
      from === 'cookie'
        ? await authenticator.session(token)
        : await authenticator.bearer(token, { project: projectOf(request), source: sourceOf(request) });
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

function sourceOf({ ip, headers }: AuthorizedRequest): NonNullable<BearerScope['source']> {
  return { sourceAddress: ip ?? null, userAgent: headers['user-agent']?.slice(0, maxUserAgent) ?? null };
}

function mayEnter(access: Access, { type }: Principal): boolean {
  if (access === 'user' || access === 'userOrClient') return type === 'user' || type === 'operator';
  if (access === 'operator') return type === 'operator';
  return true;
}

// Collections must not be probed for existence: this says the same whatever was asked for.
function forbidden(): Problem {
  return new Problem('forbidden', 'The caller has no access to this API.');
}
