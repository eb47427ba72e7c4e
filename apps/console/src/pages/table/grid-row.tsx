import { Link } from '@tanstack/react-router';
import type { CollectionPlace } from '../../api/resource.ts';
import type { Row } from '../../live/live-table.ts';
import type { Cell, Column } from '../../logic/columns.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { ProtectedBadge, StateBadge } from '../../ui/state-badge.tsx';
import { Age } from '../../ui/time.tsx';
import type { ColumnLayout } from './layout.ts';

/** A change is marked for a second, unless it is older. */
const freshMs = 1_500;

export function GridRow({
  index,
  row,
  top,
  layout,
  isFocused,
  place,
  columns,
}: {
  readonly index: number;
  /** Absent until the worker has answered for this part of the table. */
  readonly row: Row | undefined;
  readonly top: number;
  readonly layout: ColumnLayout;
  readonly isFocused: boolean;
  readonly place: CollectionPlace;
  readonly columns: readonly Column[];
}) {
  const style = { top, gridTemplateColumns: layout.template };
  const { group, version, plural } = place;
  const fresh = row !== undefined && row.changedAt > 0 && Date.now() - row.changedAt < freshMs;
  return (
    <div
      key={row?.revision}
      id={`row-${index}`}
      className="grid-row"
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isFocused}
      data-changed={fresh}
      data-gone={row?.gone ?? false}
      style={style}
    >
      <div className="grid-cell first" role="gridcell">
        {row === undefined ? null : (
          <Link
            to="/r/$group/$version/$plural/$"
            params={{ group, version, plural, _splat: [...row.ancestors, row.name].join('/') }}
            tabIndex={-1}
          >
            {visibleText(row.name)}
          </Link>
        )}
      </div>
      {layout.ancestors.map((kind, place) => (
        <div key={kind.plural} className="grid-cell optional" role="gridcell">
          {row?.ancestors[place]}
        </div>
      ))}
      {columns.map((column, place) => (
        <div key={column.name} className={`grid-cell${place > 0 ? ' optional' : ''}`} role="gridcell">
          <CellText cell={row?.cells[place]} />
        </div>
      ))}
      <div className="grid-cell optional" role="gridcell">
        {Object.entries(row?.labels ?? {}).map(([name, value]) => (
          <span key={name} className="chip">
            {value === '' ? name : `${name}=${value}`}
          </span>
        ))}
      </div>
      <div className="grid-cell" role="gridcell">
        {row === undefined ? null : <Age time={row.createdAt} />}
      </div>
      <div className="grid-cell optional" role="gridcell">
        {row?.deletedAt ? <StateBadge state="deleting" /> : null}
        {row?.protected ? <ProtectedBadge /> : null}
      </div>
    </div>
  );
}

function CellText({ cell }: { readonly cell: Cell | undefined }) {
  if (cell === undefined) return null;
  return cell.time === undefined ? visibleText(cell.text) : <Age time={cell.time} />;
}
