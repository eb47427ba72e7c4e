import { useEffect, useState } from 'react';
import type { CollectionPlace } from '../../api/resource.ts';
import type { Row, Sort } from '../../live/row.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Loading } from '../../ui/states.tsx';
import { EmptyTable } from './empty-table.tsx';
import { GridFoot } from './grid-foot.tsx';
import { CellOf } from './grid-row.tsx';
import { nextSort, type TableColumn } from './layout.ts';
import { useHold } from './use-hold.ts';
import type { GridProps } from './use-rows.ts';

const pageRows = 50;

/** The rows as a plain table of one page: the cursor of a screen reader goes through it, which a scrolled grid does not let it. */
export function PageGrid(props: Omit<GridProps, 'onPanel' | 'onDelete'>) {
  const { kind, place, table, selected, onSelect } = props;
  const { columns, state, tell, sort, onSort } = table;
  const [page, setPage] = useState(0);
  const last = Math.max(0, Math.ceil(state.shown / pageRows) - 1);
  const at = Math.min(page, last);
  const from = at * pageRows;
  useEffect(() => tell({ type: 'window', from, to: from + pageRows, top: null }), [from, tell]);
  const isEmpty = state.complete && state.shown === 0;
  const isLoading = state.connection.at === 'loading' && state.size === 0 && !state.complete;
  const holding = useHold(tell, !isLoading && !isEmpty, from > 0);
  if (isLoading) return <Loading rows={8} />;
  if (isEmpty) return <EmptyTable kind={kind} place={place} size={state.size} />;
  const rows = state.rows.slice(from - state.from, from - state.from + pageRows);
  const change = (next: Sort) => {
    onSort(next);
    setPage(0);
  };
  return (
    <>
      <div className="table-box" {...holding}>
        <table className="table">
          <caption className="visually-hidden">{kind.plural}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Selected</span>
              </th>
              {columns.map((column) => (
                <ColumnHead
                  key={`${column.of} ${column.name}`}
                  column={column}
                  sort={sort}
                  complete={state.complete}
                  onSort={change}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <PageRow
                key={row.uid}
                row={row}
                columns={columns}
                place={place}
                isSelected={selected.has(row.uid)}
                onSelect={onSelect}
              />
            ))}
          </tbody>
        </table>
      </div>
      <nav className="toolbar" aria-label="Pages">
        <ActionButton className="button" isBusy={at === 0} onClick={() => setPage(at - 1)}>
          Previous page
        </ActionButton>
        <span role="status">
          Page {at + 1} of {last + 1}
        </span>
        <ActionButton className="button" isBusy={at === last} onClick={() => setPage(at + 1)}>
          Next page
        </ActionButton>
      </nav>
      <GridFoot state={state} plural={kind.plural} onApply={() => tell({ type: 'apply' })} />
    </>
  );
}

function ColumnHead({
  column,
  sort,
  complete,
  onSort,
}: {
  readonly column: TableColumn;
  readonly sort: Sort;
  readonly complete: boolean;
  readonly onSort: (sort: Sort) => void;
}) {
  const active = sort !== null && column.sort === sort.column;
  const direction = active ? (sort.descending ? 'descending' : 'ascending') : undefined;
  return (
    <th scope="col" aria-sort={direction}>
      {column.sort === null ? (
        column.name
      ) : (
        <button
          type="button"
          className="column-sort"
          disabled={!complete}
          onClick={() => onSort(nextSort(column, sort))}
        >
          {column.name}
        </button>
      )}
    </th>
  );
}

function PageRow({
  row,
  columns,
  place,
  isSelected,
  onSelect,
}: {
  readonly row: Row;
  readonly columns: readonly TableColumn[];
  readonly place: CollectionPlace;
  readonly isSelected: boolean;
  readonly onSelect: (row: Row) => void;
}) {
  const [first, ...others] = columns;
  return (
    <tr aria-selected={isSelected} data-gone={row.gone}>
      <td>
        <label className="pick">
          <input
            type="checkbox"
            aria-label={`Select ${visibleText(row.name)}`}
            checked={isSelected}
            onChange={() => onSelect(row)}
          />
        </label>
      </td>
      {first === undefined ? null : (
        <th scope="row">
          <CellOf column={first} row={row} place={place} isStop />
        </th>
      )}
      {others.map((column) => (
        <td key={`${column.of} ${column.name}`}>
          <CellOf column={column} row={row} place={place} isStop />
        </td>
      ))}
    </tr>
  );
}
