import type { AuthorizationCode, AuthorizationCodeKey, AuthorizationCodeStore } from '../src/index.ts';

/** The port on a map, for unit tests. No method yields, so all of them are atomic. By default every owner has a project of its own. */
export function createMemoryAuthorizationCodeStore(
  projectOf: (owner: string | null) => string | null = (owner) => owner,
): AuthorizationCodeStore & {
  readonly entries: () => readonly AuthorizationCode[];
} {
  const codes = new Map<string, AuthorizationCode>();

  function live({ hash, owner }: AuthorizationCodeKey, now: number): AuthorizationCode | null {
    const code = codes.get(hash);
    return code !== undefined && code.owner === owner && code.expiresAt > now ? code : null;
  }

  return {
    entries: () => [...codes.values()],
    async save(code, room) {
      if (room !== undefined) {
        const counted = [...codes.values()].filter(({ expiresAt }) => expiresAt > room.now).concat(code);
        const bytesOf = (isCounted: (owner: string | null) => boolean) =>
          counted
            .filter(({ owner }) => isCounted(owner))
            .reduce((sum, { sealed }) => sum + Buffer.byteLength(sealed), 0);
        if (bytesOf((owner) => owner === code.owner) > room.maxBytes) return false;
        if (bytesOf((owner) => projectOf(owner) === projectOf(code.owner)) > room.maxProjectBytes)
          return false;
      }
      codes.set(code.hash, code);
      return true;
    },
    peek: async (key, now) => live(key, now)?.sealed ?? null,
    async consume(key, now) {
      const code = live(key, now);
      if (code !== null) codes.delete(key.hash);
      return code?.sealed ?? null;
    },
    async deleteExpired(now, limit) {
      const expired = [...codes.values()].filter(({ expiresAt }) => expiresAt <= now).slice(0, limit);
      for (const { hash } of expired) codes.delete(hash);
      return expired.length;
    },
  };
}
