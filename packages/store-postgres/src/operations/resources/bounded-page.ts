import { pageBytes } from '@platform/kernel';
import { envelopeBytes } from '@platform/resources';

/** Bytes of a page that shares its statement with others. A page that has more is read again, alone and bounded. */
const sharedPageBytes = 1024 * 1024;

/** Pages of up to so many rows share statements. */
export const lightPage = 100;

/**
 * SQL for an ordered and limited query, for as many of its rows as fit {@link pageBytes}, but one at least. A column `followed` says
 * whether the query has another row after it.
 */
export function boundedPage(query: string, order: string): string {
  return `
    select * from (
      select *, lead(true) over (order by ${order}) is not null as followed, row_number() over (order by ${order}) as place,
        sum(${rowBytes}) over (order by ${order} rows unbounded preceding) as bytes_so_far
      from (${query}) as page
    ) as weighed
    where place = 1 or bytes_so_far <= ${pageBytes}`;
}

/** As {@link boundedPage}, of all rows: for a page whose size is checked after it is joined, see {@link isHeavy}. */
export function wholePage(query: string): string {
  return `select *, null::boolean as followed from (${query}) as page`;
}

/** SQL for whether a page is too large to be sent together with others, from the columns in which its rows are joined. */
export function isHeavy(joined: readonly string[]): string {
  return `${joined.map((column) => `octet_length(${column})`).join(' + ')} > ${sharedPageBytes}`;
}

/**
 * The size of a value as text, or nearly. An uncompressed value is not read for that, however large; the stored size of what is
 * compressed says nothing, so it is decompressed.
 */
function bytesOf(column: string): string {
  return `case when pg_column_compression(${column}) is null then pg_column_size(${column}) else octet_length(${column}::text) end`;
}

const rowBytes = `${envelopeBytes} + ${['metadata', 'spec', 'status', 'finalizers', 'owner_references'].map(bytesOf).join(' + ')}`;
