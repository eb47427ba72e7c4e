import type { SigningKeyStore, StoredSigningKey } from '../src/index.ts';

/** The port on a map, for unit tests and a single process. */
export function createMemorySigningKeyStore(): SigningKeyStore {
  const keys = new Map<number, StoredSigningKey>();
  return {
    list: async () => [...keys.values()].sort((a, b) => b.sequence - a.sequence),
    async add(key) {
      if (!keys.has(key.sequence)) keys.set(key.sequence, key);
    },
    async removeBelow(sequence) {
      for (const known of [...keys.keys()]) if (known < sequence) keys.delete(known);
    },
  };
}
