import { isNumericDate } from '@platform/kernel';
import { z } from 'zod';

/** Seconds since the epoch; fractions are allowed. */
export const numericDate = z.custom<number>(isNumericDate);

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
