import { z } from 'zod';
import type { ReadToken } from '../jws/read-token.ts';
import { numericDate } from './shapes.ts';

/** The claims of an external token that the platform itself looks at; the rest is for the matching. */
export interface ExternalClaims {
  readonly iss: string;
  readonly aud: string | readonly string[];
  readonly exp: number;
  readonly nbf?: number | undefined;
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
    exp: numericDate,
    nbf: numericDate.optional(),
    sub: z.string().optional(),
  }) satisfies z.ZodType<ExternalClaims>,
} as const;

/** The longest `kid` that is looked up, in characters. */
const maxKidLength = 256;

/** The claims that an external token must have before the keys of its issuer are fetched. */
export interface ExternalToken {
  readonly kid: string;
  readonly claims: ExternalClaims;
}

/**
 * Validates all of an external token but its signature. Undefined when it is not an RS256 token with a `kid`,
 * has expired, is not valid yet, is older than `maxAgeSeconds`, or lacks a claim every external token has. `now` in seconds.
 */
export function validateExternal(
  token: ReadToken,
  now: number,
  maxAgeSeconds?: number,
): ExternalToken | undefined {
  const { alg, typ, kid } = token.header;
  if (alg !== externalKind.alg) return undefined;
  if (typ !== undefined && !(typeof typ === 'string' && externalKind.typs.has(typ.toLowerCase())))
    return undefined;
  if (typeof kid !== 'string' || kid === '' || kid.length > maxKidLength) return undefined;
  const shaped = externalKind.shape.safeParse(token.claims);
  if (!shaped.success) return undefined;
  const { exp, nbf } = shaped.data;
  const skew = externalKind.clockSkewSeconds;
  if (exp + skew <= now || (nbf !== undefined && nbf - skew > now)) return undefined;
  // Attack: a token that its issuer made valid for years is copied once, and used for years.
  if (maxAgeSeconds !== undefined) {
    const iat = numericDate.safeParse(token.claims['iat']);
    if (!iat.success || iat.data + maxAgeSeconds + skew <= now) return undefined;
  }
  // The claims as they were read: a copy could lose a member such as `__proto__`.
  return { kid, claims: token.claims as ExternalClaims };
}
