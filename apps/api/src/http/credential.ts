import type { IncomingMessage } from 'node:http';

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
 * wins over a cookie, also when it is of no use (contract 3).
 */
export function credentialOf(request: IncomingMessage, cookie: CookiePolicy): Credential | null {
  const authorization = request.headers.authorization;
  if (authorization !== undefined) {
    const token = bearerScheme.exec(authorization)?.[1];
    return token === undefined ? null : { from: 'header', token };
  }
  if (request.headers.cookie === undefined) return null;
  // Cross-site request forgery: browsers attach the cookie to requests that another site makes. Only the platform's own
  // pages can send its Origin.
  const safe = safeMethods.has(request.method ?? '');
  if (!safe && request.headers.origin !== cookie.origin) return null;
  const token = cookieValue(request.headers.cookie, cookie.name);
  return token === null ? null : { from: 'cookie', token };
}

function cookieValue(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const separator = pair.indexOf('=');
    if (separator !== -1 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return null;
}
