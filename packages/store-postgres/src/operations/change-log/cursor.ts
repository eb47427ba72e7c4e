import {
  type ChangeEntry,
  type Cursor,
  comparePlaces,
  cursorInvalid,
  type Place,
  ticksBehind,
} from '@platform/change-log';

/** The part of a cursor that says what a read has shown beyond its place. */
type Beyond = Pick<Cursor, 'tick' | 'snapshot'>;

/**
 * The part of a read beyond its place: its snapshot, with the tick that was the newest when it was taken. `cascades` are the owners of
 * pending cascades: the read has shown their dependents as the tombstones that the log tells of when they are marked, see
 * docs/decisions/0036. `lastTick` is the last one that can tell of them, once all are marked as deleted.
 *
 *     <tick>@<snapshot>[~<cascades>[!<lastTick>]]
 */
function snapshotAt(tick: number, snapshot: string, cascades: string, lastTick?: number): string {
  const shown = cascades === '' ? '' : `~${cascades}${lastTick === undefined ? '' : `!${lastTick}`}`;
  return `${tick}@${snapshot}${shown}`;
}

/** Transaction numbers have 64 bits; none ever has the 20 digits of the greatest. */
const xid = '\\d{1,19}';
const uid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** The most cascades that a cursor names, so that it fits into a URL. A watch reports the tombstones of any others once more. */
const mostCascades = 16;
/** The form of {@link snapshotAt}. */
const snapshotForm = `\\d{1,16}@${xid}:${xid}:(?:${xid}(?:,${xid})*)?(?:~${uid}(?:,${uid}){0,${mostCascades - 1}}(?:!\\d{1,16})?)?`;
const parts = /^(\d+)@([^~]*)(?:~([^!]+)(?:!(\d+))?)?$/;

/** The snapshot while it may show entries after the place. */
export function snapshotBeyond({ tick, snapshot }: Beyond): string | null {
  const [, at, own = ''] = parts.exec(snapshot ?? '') ?? [];
  return at === undefined || tick > Number(at) + ticksBehind ? null : own;
}

/** Whether the snapshot, while it counts, is later than the next transaction number of the database. */
export function isAheadOf(cursor: Beyond, nextXid: string): boolean {
  const xmax = snapshotBeyond(cursor)?.split(':')[1];
  return xmax !== undefined && BigInt(xmax) > BigInt(nextXid);
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

/** The part that still counts at a later place: null when the place says everything. */
function keptBeyond(at: Beyond): string | null {
  return snapshotBeyond(at) === null && cascadesBeyond(at).length === 0 ? null : at.snapshot;
}

/** The snapshot once all of its cascades are marked as deleted, which `newestTick` shows. */
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

/** Whether a read has shown the tombstone of an entry before it was marked as deleted. A resource becomes a tombstone once. */
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

/** Whether PostgreSQL reads the text as a snapshot: its bounds are in order, and so are the running transactions between them. */
function isSnapshot(text: string): boolean {
  const [xmin = 0n, xmax = 0n, ...running] = text
    .split(/[:,]/)
    .filter((xid) => xid !== '')
    .map(BigInt);
  const ordered = [xmin, ...running];
  return (
    xmin > 0n && xmin <= xmax && running.every((xid, at) => xid < xmax && xid >= (ordered[at] as bigint))
  );
}

/** A cursor with what PostgreSQL needs to find its place again. */
export interface StoredCursor extends Cursor {
  /** The first digits of the store's id. */
  readonly store: string;
  /** Tells ticks of one number apart. */
  readonly mark: number;
}

/** The place after every entry of a tick. */
export const endOfTick = Number.MAX_SAFE_INTEGER;

/** Makes a cursor; one at the end of its tick is the same as one after its last entry. */
export function cursorOf(
  { store, mark }: Pick<StoredCursor, 'store' | 'mark'>,
  { tick, seq }: Place,
  snapshot: string | null,
): StoredCursor {
  const kept = keptBeyond({ tick, snapshot });
  const place = seq === endOfTick ? '' : seq.toString(36);
  const parts = [store, tick.toString(36), mark.toString(36), place, ...(kept === null ? [] : [kept])];
  const text = Buffer.from(parts.join('.')).toString('base64url');
  return { store, mark, tick, seq, snapshot: kept, text };
}

/** The cursor that a statement returns for its own snapshot; see {@link cursorColumn}. */
export function cursorOfRead(read: string): StoredCursor {
  const [store = '', tick, mark, snapshot = '', cascades = ''] = read.split(' ');
  const place = { tick: Number(tick), seq: endOfTick };
  return cursorOf({ store, mark: Number(mark) }, place, snapshotAt(place.tick, snapshot, cascades));
}

/** SQL for the point of the log at which a statement reads: the newest tick that it sees, its snapshot, and the pending cascades in that. */
export const cursorColumn = `(
  select left(l.store::text, 8) || ' ' || l.tick || ' ' || l.mark || ' ' || pg_current_snapshot()::text || ' '
    || array_to_string(array(select owner_uid from pending_cascades order by seq limit ${mostCascades}), ',')
  from change_log l where l.singleton)`;

const maxText = 64 * 1024;
const form = new RegExp(
  `^([0-9a-f]{8})\\.([0-9a-z]{1,11})\\.([0-9a-z]{1,11})\\.([0-9a-z]{0,11})(?:\\.(${snapshotForm}))?$`,
);

/** The parts of a cursor's text. @throws Problem `invalid_query` for a text that no store has made. */
export function parseCursor(text: string): StoredCursor {
  const decoded = text.length > maxText ? '' : Buffer.from(text, 'base64url').toString('latin1');
  const match = form.exec(decoded);
  if (match === null || Buffer.from(decoded, 'latin1').toString('base64url') !== text) throw cursorInvalid();
  const [, store = '', tick = '', mark = '', seq = '', snapshot = null] = match;
  const cursor = {
    store,
    mark: Number.parseInt(mark, 36),
    tick: Number.parseInt(tick, 36),
    snapshot,
    text,
    seq: seq === '' ? endOfTick : Number.parseInt(seq, 36),
  };
  if (![cursor.tick, cursor.mark, cursor.seq].every(Number.isSafeInteger)) throw cursorInvalid();
  if (snapshot !== null && !isSnapshot(parts.exec(snapshot)?.[2] ?? '')) throw cursorInvalid();
  return cursor;
}
