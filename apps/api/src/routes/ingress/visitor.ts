import { Problem } from '@platform/kernel';
import type { IngressGrant } from '@platform/projects';
import { type Authenticator, type Principal, readToken, type UserPrincipal } from '@platform/tokens';
import { type Answer, json } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { type CookiePolicy, credentialOf, readCookie } from '../../http/authorize.ts';
import { subjectOfToken } from '../../http/token-subject.ts';
import { cookieName, setCookie } from '../login/cookies.ts';

/** The dependencies that the ingress endpoints share. */
export interface IngressDeps {
  readonly authenticator: Authenticator;
  readonly cookie: CookiePolicy;
  /** The visitor that an ingress token of the project identifies, or null; `tokenOf` returns the token for the project's URL. */
  readonly openIngressToken: (
    tokenOf: (project: { readonly url: string }) => string | null,
    project: string,
  ) => Promise<TokenVisitor | null>;
  readonly mint: (principal: Principal, project: string) => Promise<IngressGrant>;
}

/** A visitor with an ingress token. */
export interface TokenVisitor {
  readonly principal: UserPrincipal;
  /** The remaining lifetime of the presented token. */
  readonly remainingSeconds: number;
}

/** The visitor, and the cookie of the project's host that identified them, if one did. */
export interface KnownVisitor {
  readonly principal: Principal;
  readonly cookie: { readonly name: string; readonly remainingSeconds: number } | null;
}

/** Whether cookies of a project's host are secure: their `__Host-` prefix keeps other subdomains from setting them. */
export function isSecure(url: string): boolean {
  return url.startsWith('https:');
}

/** The visitor of a project. Throws `unauthenticated` if the request has no valid credential. */
export async function visitorOf(deps: IngressDeps, call: Call, project: string): Promise<KnownVisitor> {
  const credential = credentialOf(call, deps.cookie);
  if (credential?.from === 'header') {
    return { principal: await bearerOf(deps, credential.token, project), cookie: null };
  }
  // An Authorization header takes precedence over cookies even if it is not a bearer token.
  if (call.headers.authorization !== undefined) throw sessionRequired();
  const known = await cookieVisitor(deps, call, project);
  if (known !== null) return known;
  if (credential === null) throw sessionRequired();
  return { principal: await deps.authenticator.session(credential.token), cookie: null };
}

/** The unverified `token_use` only chooses the verifier: an ingress token that is in order must not count as a refused bearer token. */
async function bearerOf(deps: IngressDeps, token: string, project: string): Promise<Principal> {
  const isIngress = readToken(token)?.claims['token_use'] === 'ingress';
  const visitor = isIngress ? await deps.openIngressToken(() => token, project) : null;
  return visitor?.principal ?? (await deps.authenticator.bearer(token));
}

async function cookieVisitor(deps: IngressDeps, call: Call, project: string): Promise<KnownVisitor | null> {
  if (!call.headers.cookie?.includes('platform_ingress=')) return null;
  let name = '';
  const visitor = await deps.openIngressToken(({ url }) => {
    name = cookieName('platform_ingress', { secure: isSecure(url) });
    return readCookie(call, name);
  }, project);
  if (visitor === null) return null;
  const { principal, remainingSeconds } = visitor;
  return { principal, cookie: { name, remainingSeconds } };
}

/** Records an ingress token. */
export function recordGrant(call: Call, { token, project, user }: IngressGrant): void {
  const { details } = subjectOfToken(token);
  const actor = { type: 'user', id: user.email } as const;
  call.audit({ action: 'token.issued', actor, project, details: { kind: 'ingress', ...details } });
}

/** Answers a forward-auth request: 200 with the token, and the headers that the proxy passes to the app. */
export function grantAnswer(grant: IngressGrant, { cookie }: KnownVisitor): Answer {
  const { token, expiresIn, audience, project, user } = grant;
  // A cookie past half of its lifetime is replaced, so that requests of scripts do not fail when it expires.
  const renews = cookie !== null && expiresIn > 2 * cookie.remainingSeconds;
  const secure = cookie?.name.startsWith('__Host-') ?? false;
  return json(
    200,
    { token, token_type: 'Bearer', expires_in: expiresIn, audience, project },
    {
      ...noStore,
      'X-Auth-Request-User': headerText(user.uid),
      'X-Auth-Request-Email': headerText(user.email),
      'X-Auth-Request-Access-Token': token,
      ...(renews ? { 'Set-Cookie': setCookie(cookie.name, token, expiresIn, { secure }) } : {}),
    },
  );
}

/**
 * Encodes a text for a header: printable ASCII unchanged, all other characters and `%` percent-encoded (RFC 3986 section 2.1),
 * because e-mail addresses may contain characters that headers may not (RFC 6531).
 */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x24\x26-\x7e]+/g, (part) =>
    Buffer.from(part, 'utf8').reduce(
      (all, byte) => `${all}%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
      '',
    ),
  );
}

function sessionRequired(): Problem {
  return new Problem('unauthenticated', 'A session is required.');
}
