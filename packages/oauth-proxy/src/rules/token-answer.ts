import type { Claims, TokenAnswer } from '../model/flow.ts';

/**
 * The answer to the app, made from the parsed upstream answer: unknown members are kept, the ones of
 * RFC 6749 section 5.1 have their types, and `expires_in` no longer counts the time that the answer has waited here.
 * `waitedMs` is that time in milliseconds.
 */
export function tokenAnswer(upstream: TokenAnswer, waitedMs: number): TokenAnswer {
  const answer: Record<string, unknown> = { ...upstream };
  const tokenType = upstream['token_type'];
  // Providers write it in any case; the platform writes `Bearer`.
  if (tokenType === undefined || (typeof tokenType === 'string' && /^bearer$/i.test(tokenType))) {
    answer['token_type'] = 'Bearer';
  }
  const lifetime = seconds(upstream['expires_in']);
  if (lifetime !== null)
    answer['expires_in'] = Math.max(0, lifetime - Math.floor(Math.max(0, waitedMs) / 1000));
  return answer;
}

/** Form-encoded answers, and some JSON ones, have the number as text. */
function seconds(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** The members of an answer that are replaced in OpenID Connect mode. */
export interface OidcReplacements {
  /** The ID token of the proxy; null when upstream sent none. */
  readonly idToken: string | null;
  /** The sealed refresh token; null when upstream sent none. */
  readonly refreshToken: string | null;
}

/** The answer in OpenID Connect mode: our ID token instead of upstream's, which is added as `upstream_id_token`. */
export function oidcAnswer(answer: TokenAnswer, replacements: OidcReplacements): TokenAnswer {
  const { id_token: upstreamIdToken, refresh_token: _, ...rest } = answer;
  return {
    ...rest,
    ...(replacements.refreshToken === null ? {} : { refresh_token: replacements.refreshToken }),
    ...(replacements.idToken === null
      ? {}
      : { id_token: replacements.idToken, upstream_id_token: upstreamIdToken }),
  };
}

/** A member that is a text, or null. */
export function textMember(values: TokenAnswer | Claims, name: string): string | null {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
