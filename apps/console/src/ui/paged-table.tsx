import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureOf, request } from '../api/http.ts';
import { Empty, Failure, Loading } from './states.tsx';

export interface TableColumn<T> {
  readonly name: string;
  readonly cell: (item: T) => ReactNode;
}

interface TableProps<T> {
  readonly label?: string;
  /** The title of an empty list. */
  readonly none: string;
  /** The actions on the whole list, such as a new item. */
  readonly action?: ReactNode;
  /** The actions on an empty list, where they differ. */
  readonly emptyAction?: ReactNode;
  /** The purpose of the list, shown while it is empty. */
  readonly help?: string | undefined;
  readonly keyOf: (item: T) => string;
  readonly columns: readonly TableColumn<T>[];
}

/** A list of the API as a table, with the way to more. */
export function PagedTable<T>({
  path,
  what,
  ...table
}: TableProps<T> & {
  readonly path: string;
  /** Completes "You may not ...". */
  readonly what: string;
}) {
  const { items, error, more, refresh } = usePages<T>(path);
  if (error !== null) return <Failure error={error} what={what} retry={refresh} />;
  if (items === undefined) return <Loading />;
  return <DataTable label={what} {...table} items={items} more={more} />;
}

/** Items as a table, or why there are none. */
export function DataTable<T>({
  items,
  more = null,
  label = 'Table',
  none,
  action,
  emptyAction = action,
  help,
  keyOf,
  columns,
}: TableProps<T> & {
  readonly items: readonly T[];
  readonly more?: (() => void) | null;
}) {
  if (items.length === 0) {
    return (
      <Empty title={none}>
        {help === undefined ? null : <p className="muted">{help}</p>}
        {emptyAction}
      </Empty>
    );
  }
  return (
    <div className="stack">
      {action ? <div className="toolbar flat">{action}</div> : null}
      <div className="card">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys */}
        <section className="table-box" aria-label={label} tabIndex={0}>
          <table className="table stacks">
            <thead>
              <tr>
                {columns.map(({ name }) => (
                  <th key={name}>{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr key={keyOf(item)}>
                  {columns.map(({ name, cell }) => (
                    <td key={name} data-label={name}>
                      <div>{cell(item)}</div>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        {more === null ? null : (
          <p className="state">
            <button type="button" className="button" onClick={more}>
              Show more
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

/** A page of a list that is not one of resources. */
interface ListPage<T> {
  readonly items: readonly T[];
  readonly continue?: string;
}

/** A list in pages: what was read so far, and the way to more. */
function usePages<T>(path: string) {
  const list = useInfiniteQuery({
    queryKey: ['pages', path],
    queryFn: ({ pageParam, signal }) => {
      const mark = path.includes('?') ? '&' : '?';
      return request<ListPage<T>>(
        pageParam === '' ? path : `${path}${mark}continue=${encodeURIComponent(pageParam)}`,
        { signal },
      );
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.continue,
    staleTime: 0,
  });
  return {
    items: list.data?.pages.flatMap((page) => page.items),
    error: failureOf(list),
    more: list.hasNextPage ? () => void list.fetchNextPage() : null,
    refresh: () => void list.refetch(),
  };
}
