import type { RandomBytes } from '@platform/kernel';

/** Letters that are not confused with each other and form no words (RFC 8628 section 6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;
/** Bytes from here on would make the first letters more likely. */
const unbiased = 256 - (256 % alphabet.length);

/** A user code of 34 random bits. Guesses need a login each, and the code is valid for minutes. */
export function createUserCode(random: RandomBytes): string {
  let code = '';
  while (code.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < unbiased && code.length < length) code += alphabet[byte % alphabet.length];
    }
  }
  return code;
}

/** The letters of a user code as a user typed it: in any case, with any separators; null for what is not one. */
export function normalizeUserCode(text: string): string | null {
  if (text.length > 32) return null;
  const code = text.toUpperCase().replace(/[\s._-]/g, '');
  return code.length === length && [...code].every((letter) => alphabet.includes(letter)) ? code : null;
}

/** A user code as it is shown: `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
