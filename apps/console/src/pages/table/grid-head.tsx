import type { Sort } from '../../live/row.ts';
import { Icon } from '../../ui/icon.tsx';
import { nextSort, type TableColumn } from './layout.ts';

/** The names of the columns; most of them sort. */
export function GridHead({
  columns,
  template,
  sort,
  complete,
  onSort,
}: {
  readonly columns: readonly TableColumn[];
  readonly template: string;
  readonly sort: Sort;
  /** Another order than that of the server needs every row. */
  readonly complete: boolean;
  readonly onSort: (sort: Sort) => void;
}) {
  const head = (one: TableColumn) => {
    const { name, of, sort: column, optional } = one;
    const active = sort !== null && column === sort.column;
    const direction = active ? (sort.descending ? 'descending' : 'ascending') : undefined;
    return (
      <div
        key={`${of} ${name}`}
        className={`grid-cell${of === 'name' ? ' first' : ''}${optional ? ' optional' : ''}`}
        role="columnheader"
        title={name}
        aria-sort={direction}
      >
        {column === null ? (
          <span className="muted">{name}</span>
        ) : (
          <button type="button" disabled={!complete} onClick={() => onSort(nextSort(one, sort))}>
            {name}
            {active ? <Icon name={sort.descending ? 'down' : 'up'} /> : null}
          </button>
        )}
      </div>
    );
  };
  return (
    <div className="grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
      <div className="grid-cell pick" role="columnheader">
        <span className="visually-hidden">Selected</span>
      </div>
      {columns.map(head)}
    </div>
  );
}
