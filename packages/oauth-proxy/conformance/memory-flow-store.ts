import type { FlowEntry, FlowKey, FlowStore } from '../src/index.ts';

/** The port on maps, for unit tests and a single process. Every method runs without yielding, so it is atomic. */
export function createMemoryFlowStore(): FlowStore & { readonly entries: () => readonly FlowEntry[] } {
  const states = new Map<string, FlowEntry>();
  const codes = new Map<string, FlowEntry>();

  function live(
    table: Map<string, FlowEntry>,
    { hash, extensionUid }: FlowKey,
    now: number,
  ): FlowEntry | null {
    const entry = table.get(hash);
    return entry !== undefined && entry.extensionUid === extensionUid && entry.expiresAt > now ? entry : null;
  }

  function take(table: Map<string, FlowEntry>, key: FlowKey, now: number): FlowEntry | null {
    const entry = live(table, key, now);
    if (entry !== null) table.delete(key.hash);
    return entry;
  }

  return {
    entries: () => [...states.values(), ...codes.values()],
    saveState: async (entry) => void states.set(entry.hash, entry),
    takeState: async (key, now) => take(states, key, now)?.sealed ?? null,
    saveCode: async (entry) => void codes.set(entry.hash, entry),
    peekCode: async (key, now) => live(codes, key, now)?.sealed ?? null,
    consumeCode: async (key, now) => take(codes, key, now) !== null,
    async sweepExpired(now, limit) {
      let swept = 0;
      for (const table of [states, codes]) {
        for (const [hash, { expiresAt }] of table) {
          if (swept === limit) return swept;
          if (expiresAt > now) continue;
          table.delete(hash);
          swept += 1;
        }
      }
      return swept;
    },
  };
}
