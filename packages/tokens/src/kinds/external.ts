import { z } from 'zod';
import type { ReadClaims, ReadToken } from '../jws/read-token.ts';
import { numericDate } from './shapes.ts';

/** The claims of an external token that the platform itself looks at; the rest is for the matching. */
export interface ExternalClaims {
  readonly iss: string;
  readonly aud: string | readonly string[];
  readonly exp: number;
  readonly sub?: string | undefined;
  readonly [name: string]: unknown;
}

/**
 * An issuer is a URL, so it has neither spaces nor control characters.
 * Attack: a NUL in `iss` makes the database refuse the look-up, and the service answer 500.
 */
const issuer = z.string().regex(/^[\x21-\x7e]{1,2048}$/);

/** Everything that is known about the tokens of external issuers: controllers and service accounts. */
const externalKind = {
  name: 'external',
  alg: 'RS256',
  /**
   * The `typ` values of tokens that say who the caller is, in lower case; absent is fine too.
   * Attack: a logout token or a security event of the same issuer carries `sub` and `aud` as well (RFC 8725 3.11).
   */
  typs: new Set(['jwt', 'jose', 'at+jwt', 'application/jwt', 'application/at+jwt']),
  audience: 'per controller or service account',
  /** How far an issuer's clock may be off, in seconds. */
  clockSkewSeconds: 30,
  shape: z.looseObject({
    iss: issuer,
    aud: z.union([z.string(), z.array(z.string())]),
    sub: z.string().optional(),
  }),
  times: z.looseObject({
    exp: numericDate,
    nbf: numericDate.optional(),
    iat: numericDate.optional(),
  }),
} as const;

/** The longest `kid` that is looked up, in characters. */
const maxKidLength = 256;

/** The claims that an external token must have before the keys of its issuer are fetched. */
export interface ExternalToken {
  readonly kid: string;
  readonly claims: ExternalClaims;
}

/** Why an external token is refused before its signature is verified; see `TokenRefusal`. */
export type ExternalRefusal = 'claims' | 'times';

/**
 * Validates all of an external token but its signature. `claims` when it is not an RS256 token with a `kid`, or lacks a claim that every
 * external token has; `times` when it has expired, is not valid yet, is older than `maxAgeSeconds`, or has a time that is no date. `now`
 * in seconds.
 */
export function validateExternal(
  token: ReadToken,
  now: number,
  maxAgeSeconds?: number,
): ExternalToken | ExternalRefusal {
  const { alg, typ, kid } = token.header;
  if (alg !== externalKind.alg) return 'claims';
  if (typ !== undefined && !(typeof typ === 'string' && externalKind.typs.has(typ.toLowerCase())))
    return 'claims';
  if (typeof kid !== 'string' || kid === '' || kid.length > maxKidLength) return 'claims';
  if (!externalKind.shape.safeParse(token.claims).success) return 'claims';
  if (!isCurrent(token.claims, now, maxAgeSeconds)) return 'times';
  // The claims as they were read: a copy could lose a member such as `__proto__`.
  return { kid, claims: token.claims as ExternalClaims };
}

function isCurrent(claims: ReadClaims, now: number, maxAgeSeconds: number | undefined): boolean {
  const times = externalKind.times.safeParse(claims);
  if (!times.success) return false;
  const { exp, nbf = 0, iat } = times.data;
  const skew = externalKind.clockSkewSeconds;
  if (exp + skew <= now || nbf - skew > now) return false;
  // Attack: a token that its issuer dated ahead stays young for as long, and with it below `maxAgeSeconds`.
  if (iat !== undefined && iat - skew > now) return false;
  // Attack: a token that its issuer made valid for years is copied once, and used for years.
  return maxAgeSeconds === undefined || (iat !== undefined && iat + maxAgeSeconds + skew > now);
}
