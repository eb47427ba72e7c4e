import type { ChangeEntry } from '../src/model/change-entry.ts';

/** Identifies an entry of the log. */
export interface Told {
  readonly uid: string;
  readonly revision: number;
  readonly removed: boolean;
}

/** The parts of entries that {@link faultsOf} looks at. */
export function toldOf(entries: readonly ChangeEntry[]): readonly Told[] {
  return entries.map(({ resource: { uid, revision }, removed }) => ({ uid, revision, removed }));
}

/**
 * The faults of a reader that was told `seen` while `committed` was written, in any order: entries that are missing, came twice, were
 * never committed, or came after a later revision of their resource. Empty when every revision came once and in order.
 */
export function faultsOf(seen: readonly Told[], committed: readonly Told[]): readonly string[] {
  const faults: string[] = [];
  const wanted = new Set(committed.map(keyOf));
  const told = new Set<string>();
  const last = new Map<string, number>();
  for (const entry of seen) {
    const key = keyOf(entry);
    if (!wanted.has(key)) faults.push(`${key} was never committed`);
    if (told.has(key)) faults.push(`${key} came twice`);
    if ((last.get(entry.uid) ?? -1) > placeOf(entry)) faults.push(`${key} came after a later one`);
    told.add(key);
    last.set(entry.uid, Math.max(last.get(entry.uid) ?? -1, placeOf(entry)));
  }
  for (const key of wanted) if (!told.has(key)) faults.push(`${key} is missing`);
  return faults;
}

function keyOf({ uid, revision, removed }: Told): string {
  return `${uid}@${revision}${removed ? '-' : ''}`;
}

/** A removal keeps the revision and comes after it. */
function placeOf({ revision, removed }: Told): number {
  return 2 * revision + (removed ? 1 : 0);
}
