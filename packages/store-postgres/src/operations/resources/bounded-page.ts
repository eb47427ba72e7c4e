/** Bytes of documents in a page of many rows, about: a thousand of a megabyte each would not fit anybody's memory. */
const pageBytes = 16 * 1024 * 1024;

/** Pages of up to so many rows are not weighed: that costs the server half as much again (100 rows of 1 KB: 380 and 600 us). */
export const lightPage = 100;

/** SQL for an ordered and limited query with a column `followed`: whether the query has another row after it, if it is known. */
export function wholePage(query: string): string {
  return `select *, null::boolean as followed from (${query}) as page`;
}

/** As {@link wholePage}, for as many of its rows as fit {@link pageBytes}, but one at least. */
export function boundedPage(query: string, order: string): string {
  const bytes = ['metadata', 'spec', 'status'].map((column) => `octet_length(${column}::text)`).join(' + ');
  return `
    select * from (
      select *, lead(true) over (order by ${order}) is not null as followed,
        sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding) as bytes_before
      from (${query}) as page
    ) as weighed
    where coalesce(bytes_before, 0) < ${pageBytes}`;
}
