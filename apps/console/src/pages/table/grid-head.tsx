import type { Sort } from '../../live/live-table.ts';
import type { Column } from '../../logic/columns.ts';
import { Icon } from '../../ui/icon.tsx';
import type { ColumnLayout } from './layout.ts';

type SortColumn = NonNullable<Sort>['column'];

export function GridHead({
  layout,
  columns,
  sort,
  complete,
  onSort,
}: {
  readonly layout: ColumnLayout;
  readonly columns: readonly Column[];
  readonly sort: Sort;
  /** Another order than that of the server needs every row. */
  readonly complete: boolean;
  readonly onSort: (sort: Sort) => void;
}) {
  const head = (label: string, column: SortColumn | null, optional: boolean) => {
    const active = sort !== null && column === sort.column;
    const direction = active ? (sort.descending ? 'descending' : 'ascending') : undefined;
    const next = (): Sort =>
      column === null || (active && sort.descending) ? null : { column, descending: active };
    return (
      <div
        key={label}
        className={`grid-cell${label === 'Name' ? ' first' : ''}${optional ? ' optional' : ''}`}
        role="columnheader"
        aria-sort={direction}
      >
        {column === null ? (
          <span className="muted">{label}</span>
        ) : (
          <button type="button" disabled={!complete} onClick={() => onSort(next())}>
            {label}
            {active ? <Icon name={sort.descending ? 'down' : 'up'} /> : null}
          </button>
        )}
      </div>
    );
  };
  return (
    <div className="grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: layout.template }}>
      {head('Name', 'name', false)}
      {layout.ancestors.map(({ kind }) => head(kind, null, true))}
      {columns.map(({ name }, index) => head(name, index, index > 0))}
      {head('Labels', null, true)}
      {head('Age', 'age', false)}
      {head('State', null, true)}
    </div>
  );
}
