import { createHash } from 'node:crypto';
import type { RandomBytes } from '@platform/kernel';

/** Bytes that look random and are the same in every run with the same seed. */
export function seededBytes(seed: string | number = 0): RandomBytes {
  let block = 0;
  let pool = Buffer.alloc(0);
  return {
    bytes(length) {
      while (pool.length < length) {
        const next = createHash('sha256').update(`${seed}/${block++}`).digest();
        pool = Buffer.concat([pool, next]);
      }
      const taken = pool.subarray(0, length);
      pool = pool.subarray(length);
      return new Uint8Array(taken);
    },
  };
}
