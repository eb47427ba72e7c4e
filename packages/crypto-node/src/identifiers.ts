import { randomBytes } from 'node:crypto';
import type { Clock, RandomBytes } from '@platform/kernel';
import type { Identifiers } from '@platform/resources';
import { v7 } from 'uuid';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's size that fits a byte; bytes from it on would favour the first letters. */
const fairBelow = 256 - (256 % alphabet.length);

/** Bytes of the operating system's generator. */
export const nodeRandomBytes: RandomBytes = { bytes: randomBytes };

/**
 * UUIDs of version 7 (RFC 9562) and discriminators of 8 letters and digits (36^8, about 2.8 * 10^12).
 * Hyphens, which the pattern allows inside, are left out: names built from discriminators stay easy to split.
 */
export function createIdentifiers(random: RandomBytes, clock: Clock): Identifiers {
  return {
    uid: () => v7({ msecs: clock.now(), random: random.bytes(16) }),
    discriminator() {
      let text = '';
      while (text.length < 8) {
        for (const byte of random.bytes(8 - text.length)) {
          if (byte < fairBelow) text += alphabet[byte % alphabet.length];
        }
      }
      return text;
    },
  };
}
