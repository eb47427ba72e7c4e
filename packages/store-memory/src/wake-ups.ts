import type { WakeUp, WakeUps } from '@platform/garbage-collector';
import type { Resource } from '@platform/resources';
import { isProtected } from './ownership.ts';
import type { Table } from './table.ts';

/** Notifies the collector of commits that concern it. */
export class MemoryWakeUps implements WakeUps {
  readonly #listeners = new Set<(wakeUp: WakeUp) => void>();

  async listen(listener: (wakeUp: WakeUp) => void): Promise<{ close(): Promise<void> }> {
    this.#listeners.add(listener);
    listener({ reason: 'missed' });
    return { close: async () => void this.#listeners.delete(listener) };
  }

  notify(wakeUp: WakeUp): void {
    for (const listener of this.#listeners) listener(wakeUp);
  }

  /** Notifies of the differences between two tables that concern the collector. */
  notifyOf(before: Table, after: Table): void {
    if (this.#listeners.size === 0) return;
    const tombstonedAt = new Set<number>();
    const look = new Set<string>();
    for (const old of before.rows()) {
      const row = after.row(old.uid);
      if (row === old) continue;
      if (row !== null && row.deletionTimestamp !== null) {
        if (old.deletionTimestamp === null) tombstonedAt.add(Date.parse(row.deletionTimestamp));
        else if (old.finalizers.some((name) => !row.finalizers.includes(name))) look.add(row.uid);
      }
      for (const uid of released(old, row)) if (after.row(uid)?.deletionTimestamp) look.add(uid);
    }
    for (const at of tombstonedAt) this.notify({ reason: 'tombstoned', at });
    for (const uid of look) this.notify({ reason: 'changed', uid });
  }
}

/** The owners that a row no longer depends on, or whose cascade it no longer stops. */
function released(old: Resource, row: Resource | null): readonly string[] {
  const before = [
    ...old.ownerReferences.map(({ uid }) => uid),
    ...(old.parentUid === null ? [] : [old.parentUid]),
  ];
  if (row === null) return before;
  const unprotected = isProtected(old) && !isProtected(row);
  return old.ownerReferences === row.ownerReferences && !unprotected ? [] : before;
}
