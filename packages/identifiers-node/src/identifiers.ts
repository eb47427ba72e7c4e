import type { Clock, RandomBytes } from '@platform/kernel';
import type { Identifiers } from '@platform/resources';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's size that fits a byte; bytes from it on would favour the first letters. */
const fairBelow = 256 - (256 % alphabet.length);

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * UUIDs of version 7 and discriminators of 8 letters and digits (36^8, about 2.8 * 10^12).
 * Hyphens, which the pattern allows inside, are left out: names built from discriminators stay easy to split.
 */
export function createIdentifiers(random: RandomBytes, clock: Clock): Identifiers {
  return {
    uid: () => uuidV7(clock.now(), random.bytes(10)),
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

/** RFC 9562, section 5.7: 48 bits of milliseconds, the version, 12 random bits, the variant, 62 random bits. */
function uuidV7(milliseconds: number, random: Uint8Array): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  const at = (index: number) => random[index] ?? 0;
  const octet = (index: number) => hex[at(index)];
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-${hex[(at(0) & 0x0f) | 0x70]}${octet(1)}` +
    `-${hex[(at(2) & 0x3f) | 0x80]}${octet(3)}` +
    `-${octet(4)}${octet(5)}${octet(6)}${octet(7)}${octet(8)}${octet(9)}`
  );
}
