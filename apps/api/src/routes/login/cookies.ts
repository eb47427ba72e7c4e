import { secretHash } from '@platform/kernel';

/** The attributes of the platform's cookies. */
export interface CookieSettings {
  /** `server.cookie_secure`. */
  readonly secure: boolean;
}

/** The cookies of the platform; apps must not receive them. */
export type PlatformCookie =
  | 'platform_session'
  | 'platform_login'
  | 'platform_oidc'
  | 'platform_ingress'
  | 'platform_ingress_login';

/** The name of a cookie: with the `__Host-` prefix where cookies are secure, so that no subdomain can plant one (RFC 6265bis). */
export function cookieName(name: PlatformCookie, { secure }: CookieSettings): string {
  return secure ? `__Host-${name}` : name;
}

/** The name of the cookie of one login: several tabs can log in at the same time. It tells nothing about the state. */
export function loginCookieName(state: string, settings: CookieSettings): string {
  return `${cookieName('platform_login', settings)}_${secretHash(state).slice(0, 16)}`;
}

/** A `Set-Cookie` value: host-only, hidden from scripts, and sent with cross-site requests only on top-level navigation. */
export function setCookie(
  name: string,
  value: string,
  maxAgeSeconds: number,
  { secure }: CookieSettings,
): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** A `Set-Cookie` value that removes the cookie. */
export function clearCookie(name: string, settings: CookieSettings): string {
  return setCookie(name, '', 0, settings);
}
