import { randomBytes } from 'node:crypto';
import type { Clock, RandomBytes } from '@platform/kernel';
import type { Identifiers } from '@platform/resources';
import { v7 } from 'uuid';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the size of the alphabet that fits into a byte. Using larger bytes would favour the first letters. */
const fairLimit = 256 - (256 % alphabet.length);

/** Random bytes from the generator of the operating system. */
export const nodeRandomBytes: RandomBytes = { bytes: randomBytes };

/**
 * Creates UUIDs of version 7 (RFC 9562), and discriminators of 8 letters and digits. Discriminators contain no hyphens, although the pattern
 * allows them, so that names built from discriminators are easy to split.
 */
export function createIdentifiers(random: RandomBytes, clock: Clock): Identifiers {
  return {
    uid: () => v7({ msecs: clock.now(), random: random.bytes(16) }),
    discriminator() {
      let text = '';
      while (text.length < 8) {
        for (const byte of random.bytes(8 - text.length)) {
          if (byte < fairLimit) text += alphabet[byte % alphabet.length];
        }
      }
      return text;
    },
  };
}
