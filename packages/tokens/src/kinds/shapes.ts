import { z } from 'zod';

/** Seconds since the epoch (RFC 7519 NumericDate); fractions are allowed, infinities are not. */
export const numericDate = z.number();

/** A text claim that must say something. */
export const text = z.string().min(1);

/** A claim that marks another kind of token and must not be there. */
export const absent = z.never().optional();

/** The claims that every issued token has. `jti` is written always and asked of none. */
export const commonShape = {
  iss: text,
  aud: text,
  sub: text,
  iat: numericDate,
  exp: numericDate,
  nbf: numericDate.optional(),
  jti: z.string().optional(),
};
