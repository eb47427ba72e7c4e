import type { SharedSigningKey, SigningKeyStore, StoredSigningKey } from '../src/index.ts';

/** The port on maps, for unit tests and a single process. `shared` are keys of an earlier release, newest first. */
export function createMemorySigningKeyStore(shared: readonly SharedSigningKey[] = []): SigningKeyStore {
  const extensions = new Map<string, Map<number, StoredSigningKey>>();
  const keysOf = (extensionUid: string) => {
    const keys = extensions.get(extensionUid) ?? new Map<number, StoredSigningKey>();
    extensions.set(extensionUid, keys);
    return keys;
  };
  return {
    list: async (extensionUid) => [...keysOf(extensionUid).values()].sort((a, b) => b.sequence - a.sequence),
    async add(extensionUid, key) {
      const keys = keysOf(extensionUid);
      if (!keys.has(key.sequence)) keys.set(key.sequence, key);
    },
    async removeBelow(extensionUid, sequence) {
      const keys = keysOf(extensionUid);
      for (const known of [...keys.keys()]) if (known < sequence) keys.delete(known);
    },
    listShared: async () => shared,
  };
}
