import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'cookie';

/** The part of a request that can present a credential. */
export interface Presented {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** How the session cookie is called and when it counts. */
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
 * The token that a request presents, or null when it presents none that counts. An `Authorization` header
 * wins over a cookie, also when it is of no use.
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
