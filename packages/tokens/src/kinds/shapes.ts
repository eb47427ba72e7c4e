import { isNumericDate } from '@platform/kernel';
import { z } from 'zod';

/** Seconds since the epoch; fractions are allowed. */
export const numericDate = z.custom<number>(isNumericDate);

/**
 * A text claim that must say something.
 *
 * Attack: a NUL, which PostgreSQL takes in no text: requests that store or look up the claim are 500, the one that ends the session included.
 */
export const text = z.string().regex(/^[^\0]+$/);

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
