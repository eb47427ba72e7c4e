import type { ChangeEntry } from '@platform/change-log';
import { parseTimestamp } from '@platform/postgres';
import type { Actor, ChangeContext, Operation } from '@platform/resources';
import { columnsOf, maybeResource, resourceWidth, toResource } from '../resources/row.ts';
import { cursorOf } from './cursor.ts';

/** SQL for what an entry has besides its resource; `alias` is a row of `changes`. */
export function entryColumns(alias: string): string {
  return `${alias}.seq, ${alias}.xid::text, ${alias}.time, ${alias}.removed, array_to_json(${alias}.written)::text, ${columnsOf(alias)}`;
}

const scalars = 5;
/** How many columns {@link entryColumns} are. */
export const entryWidth = scalars + resourceWidth;

/** An entry without its place in the order: what the history of one resource needs. */
export type LoggedChange = Omit<ChangeEntry, 'cursor' | 'tick' | 'previous'>;

/** The entry in the columns of a row from `offset` on. */
export function toEntry(row: readonly unknown[], offset = 0): LoggedChange {
  const [seq, transaction, time, removed, written] = row.slice(offset) as [
    number,
    string,
    string,
    boolean,
    string,
  ];
  return {
    ...contextOf(JSON.parse(written)),
    ...{ seq, transaction, removed, time: parseTimestamp(time) },
    resource: toResource(row, offset + scalars),
  };
}

/** The entry of a tick, in the columns from `offset` on: tick, mark, those of {@link entryColumns}, and the resource before. */
export function toPlacedEntry(row: readonly unknown[], store: string, offset: number): ChangeEntry {
  const [tick, mark] = row.slice(offset) as [number, number];
  const entry = toEntry(row, offset + 2);
  const previous = maybeResource(row, offset + 2 + entryWidth);
  return { ...entry, tick, previous, cursor: cursorOf({ store, mark }, { tick, seq: entry.seq }, null) };
}

/** The context in the form that `changeLiteral` writes. */
export function contextOf(written: readonly (string | null)[]): ChangeContext {
  const [operation, type, id, requestId, reason, cascadeId, sourceAddress, userAgent] = written;
  return {
    operation: operation as Operation,
    actor: { type: type as Actor['type'], id: id ?? '' },
    ...{ requestId: requestId ?? null, reason: reason ?? null, cascadeId: cascadeId ?? null },
    ...{ sourceAddress: sourceAddress ?? null, userAgent: userAgent ?? null },
  };
}
