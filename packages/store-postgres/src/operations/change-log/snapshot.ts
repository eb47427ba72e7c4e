import { type ChangeEntry, type Cursor, comparePlaces } from '@platform/change-log';

/** A cursor as far as it says what a read has shown beyond its place. */
type Beyond = Pick<Cursor, 'tick' | 'snapshot'>;

/**
 * What a read has shown beyond its place: its snapshot, with the tick that was the newest when it was taken. `cascades` are the owners of
 * pending cascades: the read has shown their dependents as the tombstones that the log tells of when they are stamped, see
 * docs/decisions/0036. `lastTick` is the last one that can tell of them, once all are stamped.
 *
 *     <tick>@<snapshot>[~<cascades>[!<lastTick>]]
 */
export function snapshotAt(tick: number, snapshot: string, cascades: string, lastTick?: number): string {
  const shown = cascades === '' ? '' : `~${cascades}${lastTick === undefined ? '' : `!${lastTick}`}`;
  return `${tick}@${snapshot}${shown}`;
}

const uid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Cascades that a cursor names: it stays short enough for a URL. A watch tells of the tombstones of any others once more. */
export const mostCascades = 16;
/** The form of {@link snapshotAt}. */
export const snapshotForm = `\\d{1,16}@\\d{1,20}:\\d{1,20}:[\\d,]*(?:~${uid}(?:,${uid}){0,${mostCascades - 1}}(?:!\\d{1,16})?)?`;
const parts = /^(\d+)@([^~]*)(?:~([^!]+)(?:!(\d+))?)?$/;

/**
 * The ticks after that of a snapshot that may have entries which it shows. The first one after it may have been taken before and committed
 * after the snapshot; the second one was taken when the first was committed.
 */
export const ticksBehind = 2;

/** The snapshot while it may show entries after the place. */
export function snapshotBeyond({ tick, snapshot }: Beyond): string | null {
  const [, at, own = ''] = parts.exec(snapshot ?? '') ?? [];
  return at === undefined || tick > Number(at) + ticksBehind ? null : own;
}

/** The owners of the cascades that were shown, while entries after the place may tell of them. */
export function cascadesBeyond({ tick, snapshot }: Beyond): readonly string[] {
  const [, , , cascades, lastTick] = parts.exec(snapshot ?? '') ?? [];
  if (cascades === undefined || (lastTick !== undefined && tick > Number(lastTick))) return [];
  return cascades.split(',');
}

/** Whether the cascades that were shown are over from some tick on. */
export function endsCascades({ snapshot }: Beyond): boolean {
  return snapshot?.includes('!') === true;
}

/** What is left of it at a later place: null when the place says everything. */
export function keptBeyond(at: Beyond): string | null {
  return snapshotBeyond(at) === null && cascadesBeyond(at).length === 0 ? null : at.snapshot;
}

/** The same once all of its cascades are stamped, as of a newest tick. */
export function withLastTick(snapshot: string, newestTick: number): string {
  const [, at, own = '', cascades = ''] = parts.exec(snapshot) ?? [];
  return snapshotAt(Number(at), own, cascades, newestTick + ticksBehind);
}

/** Whether a reader at the cursor has seen an entry. */
export function includes(cursor: Cursor, change: ChangeEntry): boolean {
  if (comparePlaces(change, cursor) <= 0) return true;
  if (cursor.snapshot === null) return false;
  const snapshot = snapshotBeyond({ tick: change.tick, snapshot: cursor.snapshot });
  return (snapshot !== null && isVisible(change.transaction, snapshot)) || hasShownCascade(cursor, change);
}

/** Whether a read has shown the tombstone of an entry before it was stamped. A resource becomes a tombstone once. */
export function hasShownCascade({ snapshot }: Beyond, change: ChangeEntry): boolean {
  if (change.operation !== 'cascade') return false;
  const { parentUid, ownerReferences } = change.resource;
  return cascadesBeyond({ tick: change.tick, snapshot }).some(
    (owner) => owner === parentUid || ownerReferences.some(({ uid }) => uid === owner),
  );
}

/** Whether a snapshot (`xmin:xmax:running`) shows what the transaction wrote, provided that it was committed. */
function isVisible(transaction: string, snapshot: string): boolean {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':');
  const xid = BigInt(transaction);
  if (xid < BigInt(xmin)) return true;
  return xid < BigInt(xmax) && !running.split(',').includes(transaction);
}
