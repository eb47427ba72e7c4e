import type { ReactNode } from 'react';
import { usePages } from '../api/use-pages.ts';
import { Empty, Failure, Loading } from './states.tsx';

export interface TableColumn<T> {
  readonly name: string;
  readonly cell: (item: T) => ReactNode;
}

/** A list of the API as a table, with the way to more. */
export function PagedTable<T>({
  path,
  what,
  none,
  keyOf,
  columns,
}: {
  readonly path: string;
  /** Completes "You may not ...". */
  readonly what: string;
  /** What an empty list means. */
  readonly none: string;
  readonly keyOf: (item: T) => string;
  readonly columns: readonly TableColumn<T>[];
}) {
  const { items, error, more, refresh } = usePages<T>(path);
  if (error !== null) return <Failure error={error} what={what} retry={refresh} />;
  if (items === undefined) return <Loading />;
  if (items.length === 0) return <Empty title={none} />;
  return (
    <div className="card">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys */}
      <section className="table-box" aria-label={what} tabIndex={0}>
        <table className="table">
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
                  <td key={name}>{cell(item)}</td>
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
  );
}
