import { type Cursor, cursorInvalid, type Place } from '@platform/change-log';
import { keptBeyond, mostCascades, snapshotAt, snapshotForm } from './snapshot.ts';

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
    ...{ store, mark: Number.parseInt(mark, 36), tick: Number.parseInt(tick, 36), snapshot, text },
    seq: seq === '' ? endOfTick : Number.parseInt(seq, 36),
  };
  if (![cursor.tick, cursor.mark, cursor.seq].every(Number.isSafeInteger)) throw cursorInvalid();
  return cursor;
}
