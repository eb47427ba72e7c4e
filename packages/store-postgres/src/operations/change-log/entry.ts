import type { Actor } from '@platform/access';
import type { ChangeEntry } from '@platform/change-log';
import { parseArrayLiteral, parseTimestamp } from '@platform/postgres';
import type { ChangeContext, Operation } from '@platform/resources';
import { loggedColumnsOf, maybeResource, resourceWidth, toResource } from '../resources/row.ts';
import { cursorOf } from './cursor.ts';

/** SQL for an entry; `alias` is a row of `changes`, and `resource` has the columns of its resource. */
export function entryColumns(alias: string, resource = loggedColumnsOf(alias)): string {
  return `${alias}.seq, ${alias}.xid::text, ${alias}.time, ${alias}.removed, array_to_json(${alias}.written)::text, ${scopeColumn(alias)}, ${resource}`;
}

/** SQL for the scope of a RoleBinding; null for everything else. */
export function scopeColumn(alias: string): string {
  return `${alias}.scope_uids::text`;
}

/** The uids in {@link scopeColumn}. */
const toUids = (literal: unknown) => (literal == null ? [] : parseArrayLiteral(literal as string));

const scalars = 6;
/** How many columns {@link entryColumns} are. */
export const entryWidth = scalars + resourceWidth;

/** An entry without its place in the order: what the history of one resource needs. */
export type LoggedChange = Omit<ChangeEntry, 'cursor' | 'tick' | 'previous' | 'previousScopeUids'>;

/** The entry in the columns of a row from `offset` on. */
export function toEntry(row: readonly unknown[], offset = 0): LoggedChange {
  const [seq, transaction, time, removed, written, scope] = row.slice(offset) as [
    number,
    string,
    string,
    boolean,
    string,
    string | null,
  ];
  return {
    ...contextOf(JSON.parse(written)),
    seq,
    transaction,
    removed,
    time: parseTimestamp(time),
    scopeUids: toUids(scope),
    resource: toResource(row, offset + scalars),
  };
}

/** The entry of a tick, in the columns from `offset` on: tick, mark, those of {@link entryColumns}, the resource before, and its scope. */
export function toPlacedEntry(row: readonly unknown[], store: string, offset: number): ChangeEntry {
  const [tick, mark] = row.slice(offset) as [number, number];
  const entry = toEntry(row, offset + 2);
  const before = offset + 2 + entryWidth;
  const previous = maybeResource(row, before);
  const previousScopeUids = toUids(row[before + resourceWidth]);
  return {
    ...entry,
    tick,
    previous,
    previousScopeUids,
    cursor: cursorOf({ store, mark }, { tick, seq: entry.seq }, null),
  };
}

/** The context in the form that `changeLiteral` writes. */
export function contextOf(written: readonly (string | null)[]): ChangeContext {
  const [operation, type, id, requestId, reason, cascadeId, sourceAddress, userAgent] = written;
  return {
    operation: operation as Operation,
    actor: { type: type as Actor['type'], id: id ?? '' },
    requestId: requestId ?? null,
    reason: reason ?? null,
    cascadeId: cascadeId ?? null,
    sourceAddress: sourceAddress ?? null,
    userAgent: userAgent ?? null,
  };
}
