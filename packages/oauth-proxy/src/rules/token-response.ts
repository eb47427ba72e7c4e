import type { Claims, TokenResponse } from '../model/flow.ts';

/** The members of RFC 6749 section 5.1 and of OpenID Connect Core section 3.1.3.3. */
const knownMembers = ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'id_token'];

/**
 * The token response for the app: unknown members are kept, known ones that are null are left out, those of RFC 6749 section 5.1 get their
 * types, and `waitedMs`, the milliseconds since the upstream's response, is subtracted from `expires_in`.
 */
export function tokenResponse(upstream: TokenResponse, waitedMs: number): TokenResponse {
  const answer: Record<string, unknown> = Object.fromEntries(
    Object.entries(upstream).filter(([name, value]) => value !== null || !knownMembers.includes(name)),
  );
  const tokenType = answer['token_type'];
  // Providers use any case; RFC 6750 has `Bearer`.
  if (tokenType === undefined || (typeof tokenType === 'string' && /^bearer$/i.test(tokenType))) {
    answer['token_type'] = 'Bearer';
  }
  const lifetime = seconds(upstream['expires_in']);
  if (lifetime !== null)
    answer['expires_in'] = Math.max(0, Math.floor(lifetime) - Math.floor(Math.max(0, waitedMs) / 1000));
  const scopes = scopeList(upstream['scope']);
  if (scopes !== null) answer['scope'] = scopes.join(' ');
  return answer;
}

/**
 * The scopes of a response that does not separate them by spaces, as RFC 6749 section 3.3 wants it, or null. Twitch sends a list, which
 * client libraries reject; GitHub separates them by commas.
 */
function scopeList(scope: unknown): readonly string[] | null {
  if (Array.isArray(scope) && scope.every((one) => typeof one === 'string')) return scope;
  return typeof scope === 'string' && /^[^ ,]+(, ?[^ ,]+)+$/.test(scope) ? scope.split(/, ?/) : null;
}

/** Form-encoded responses, and some JSON responses, have the number as text. */
function seconds(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** The members of a response that are replaced in OpenID Connect mode. */
export interface OidcReplacements {
  /** The ID token of the proxy; null when upstream sent none. */
  readonly idToken: string | null;
  /** The sealed refresh token; null when upstream sent none. */
  readonly refreshToken: string | null;
}

/** The response in OpenID Connect mode: our ID token replaces the upstream's, which is added as `upstream_id_token`. */
export function oidcResponse(answer: TokenResponse, replacements: OidcReplacements): TokenResponse {
  const { id_token: upstreamIdToken, refresh_token: _, ...rest } = answer;
  return {
    ...rest,
    ...(replacements.refreshToken === null ? {} : { refresh_token: replacements.refreshToken }),
    ...(replacements.idToken === null
      ? {}
      : { id_token: replacements.idToken, upstream_id_token: upstreamIdToken }),
  };
}

/** A member that is a non-empty string, or null. */
export function textMember(values: TokenResponse | Claims, name: string): string | null {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
