import type { HistoryEntry } from '../api/resource.ts';
import { ageOf } from './age.ts';

/** Entries that belong together: those of one deletion, or a run of one actor and operation. */
export interface HistoryGroup {
  readonly key: string;
  readonly entries: readonly HistoryEntry[];
}

/** Longer pauses end a run. */
const pauseMs = 10 * 60_000;

/** Groups entries, which are sorted newest first. */
export function groupHistory(entries: readonly HistoryEntry[]): readonly HistoryGroup[] {
  const groups: HistoryEntry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && belongs(last, entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups.map((group) => ({ key: `${group[0]?.revision}-${group[0]?.removed}`, entries: group }));
}

/** Shorter pauses between two groups need no label. */
const longPauseMs = 3_600_000;

/** How long nothing happened before a group, as `2 h`; null where the pause was short or there is no older group. */
export function pauseBefore(group: HistoryGroup, older: HistoryGroup | undefined): string | null {
  const [start, end] = [group.entries.at(-1)?.time, older?.entries[0]?.time];
  if (start === undefined || end === undefined) return null;
  return Date.parse(start) - Date.parse(end) < longPauseMs ? null : ageOf(end, Date.parse(start));
}

function belongs(newer: HistoryEntry, older: HistoryEntry): boolean {
  if (newer.cascadeId !== undefined || older.cascadeId !== undefined) {
    return newer.cascadeId === older.cascadeId;
  }
  return (
    newer.operation === older.operation &&
    newer.actor.type === older.actor.type &&
    newer.actor.id === older.actor.id &&
    newer.reason === older.reason &&
    Date.parse(newer.time) - Date.parse(older.time) < pauseMs
  );
}
