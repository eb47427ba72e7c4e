import { randomFillSync } from 'node:crypto';
import type { RandomBytes } from '@platform/kernel';

const poolSize = 4096;
let pool = new Uint8Array(0);
let used = 0;

/** Bytes of the operating system's generator, drawn a few kilobytes at a time; none is handed out twice. */
export const nodeRandomBytes: RandomBytes = {
  bytes(length) {
    if (length > poolSize) return randomFillSync(new Uint8Array(length));
    if (used + length > pool.length) {
      // A new buffer, not the old one refilled: what was handed out is a copy, but a view would change under its owner.
      pool = randomFillSync(new Uint8Array(poolSize));
      used = 0;
    }
    const bytes = pool.slice(used, used + length);
    // Nothing that was handed out, a secret perhaps, stays behind in the pool.
    pool.fill(0, used, used + length);
    used += length;
    return bytes;
  },
};
