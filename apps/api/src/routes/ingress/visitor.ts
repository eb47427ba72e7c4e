import { Problem } from '@platform/kernel';
import type { IngressGrant } from '@platform/projects';
import type { Authenticator, Principal, UserPrincipal } from '@platform/tokens';
import type { Request, Response } from 'express';
import { answerJson } from '../../http/answer.ts';
import { type CookiePolicy, credentialOf } from '../../http/credential.ts';
import { noStore } from '../../http/oauth-answer.ts';
import { cookieName, readCookie, setCookie } from '../login/cookies.ts';

/** What the ingress endpoints share. */
export interface IngressParts {
  readonly authenticator: Authenticator;
  readonly cookie: CookiePolicy;
  /** The visitor that an ingress token of the project names, or null; `tokenOf` finds the token, given the project's URL. */
  readonly openIngressToken: (
    tokenOf: (project: { readonly url: string }) => string | null,
    project: string,
  ) => Promise<TokenVisitor | null>;
  readonly mint: (principal: Principal, project: string) => Promise<IngressGrant>;
}

/** A visitor with an ingress token. */
export interface TokenVisitor {
  readonly principal: UserPrincipal;
  /** How long the presented token is still valid. */
  readonly remainingSeconds: number;
}

/** Who visits, and the cookie that brought them, when it was that of the project's host. */
export interface KnownVisitor {
  readonly principal: Principal;
  readonly cookie: { readonly name: string; readonly remainingSeconds: number } | null;
}

/** Whether cookies of a project's host are secure: with the `__Host-` prefix, no other subdomain can plant one. */
export function isSecure(url: string): boolean {
  return url.startsWith('https:');
}

/** The visitor of a project. Throws `unauthenticated` when the request presents nothing that counts. */
export async function visitorOf(
  parts: IngressParts,
  request: Request,
  project: string,
): Promise<KnownVisitor> {
  const credential = credentialOf(request, parts.cookie);
  if (credential?.from === 'header') {
    return { principal: await bearerOf(parts, credential.token, project), cookie: null };
  }
  // A header that is no bearer token still wins over cookies.
  if (request.headers.authorization !== undefined) throw sessionRequired();
  const known = await cookieVisitor(parts, request, project);
  if (known !== null) return known;
  if (credential === null) throw sessionRequired();
  return { principal: parts.authenticator.session(credential.token), cookie: null };
}

async function bearerOf(parts: IngressParts, token: string, project: string): Promise<Principal> {
  try {
    return await parts.authenticator.bearer(token);
  } catch (error) {
    const visitor = await parts.openIngressToken(() => token, project);
    if (visitor === null) throw error;
    return visitor.principal;
  }
}

async function cookieVisitor(
  parts: IngressParts,
  request: Request,
  project: string,
): Promise<KnownVisitor | null> {
  if (!request.headers.cookie?.includes('platform_ingress=')) return null;
  let name = '';
  const visitor = await parts.openIngressToken(({ url }) => {
    name = cookieName('platform_ingress', { secure: isSecure(url) });
    return readCookie(request, name);
  }, project);
  if (visitor === null) return null;
  const { principal, remainingSeconds } = visitor;
  return { principal, cookie: { name, remainingSeconds } };
}

/** Answers a forward-auth request: 200 with the token, and the headers that the proxy hands to the app. */
export function answerGrant(response: Response, grant: IngressGrant, { cookie }: KnownVisitor): void {
  const { token, expiresIn, audience, project, user } = grant;
  // A cookie past the middle of its life is replaced, so that requests of scripts do not fail at its end.
  const renews = cookie !== null && expiresIn > 2 * cookie.remainingSeconds;
  const secure = cookie?.name.startsWith('__Host-') ?? false;
  answerJson(
    response,
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
 * A text as a header can carry it: printable ASCII as it is, everything else and `%` percent-encoded (RFC 3986 section 2.1).
 * A header holds no other characters, and addresses may (RFC 6531).
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
