import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { CollectionPlace } from '../../api/resource.ts';
import type { Row } from '../../live/row.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { ProtectedBadge, StateBadge } from '../../ui/state-badge.tsx';
import { Age } from '../../ui/time.tsx';
import type { TableColumn } from './layout.ts';

/** A change is marked for a second, unless it is older. */
const freshMs = 1_500;
/** More labels than this are on the page of the resource: a row has one line. */
const mostLabels = 8;

export interface GridRowProps {
  readonly index: number;
  /** Absent until the worker has answered for this part of the table. */
  readonly row: Row | undefined;
  readonly top: number;
  readonly columns: readonly TableColumn[];
  readonly template: string;
  readonly isFocused: boolean;
  /** Whether a change shows for a moment. */
  readonly isMarked: boolean;
  readonly isSelected: boolean;
  readonly place: CollectionPlace;
  readonly onSelect: (row: Row) => void;
  /** Called for a row that is clicked or whose box gets the focus: the keys go on from there. */
  readonly onPoint: (index: number, uid: string | undefined) => void;
}

/** Scrolling draws only the rows that come into sight. */
export const GridRow = memo(DrawnRow, (before, after) => {
  const { row: older, ...rest } = before;
  const { row: newer, ...others } = after;
  return (
    isSameRow(older, newer) &&
    Object.entries(rest).every(([name, value]) => others[name as keyof typeof others] === value)
  );
});

/** The worker sends copies, so that rows are compared by what changes them. */
function isSameRow(one: Row | undefined, other: Row | undefined): boolean {
  return (
    one?.uid === other?.uid &&
    one?.revision === other?.revision &&
    one?.gone === other?.gone &&
    one?.changedAt === other?.changedAt
  );
}

function DrawnRow(props: GridRowProps) {
  const { index, row, top, columns, template, isFocused, isSelected, place, onSelect, onPoint } = props;
  const fresh =
    props.isMarked && row !== undefined && row.changedAt > 0 && Date.now() - row.changedAt < freshMs;
  return (
    // A new element for each change that is marked, so that the mark begins again.
    <div
      key={fresh ? row.revision : 'calm'}
      id={`row-${index}`}
      className="grid-row"
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-focused={isFocused}
      data-changed={fresh}
      data-gone={row?.gone ?? false}
      style={{ top, gridTemplateColumns: template }}
      onPointerDown={() => onPoint(index, row?.uid)}
    >
      <div className="grid-cell pick" role="gridcell">
        {row === undefined ? null : (
          <label>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Select ${visibleText(row.name)}`}
              checked={isSelected}
              onFocus={() => onPoint(index, row.uid)}
              onChange={() => onSelect(row)}
            />
          </label>
        )}
      </div>
      {columns.map((column) => (
        <div
          key={`${column.of} ${column.name}`}
          className={`grid-cell${column.of === 'name' ? ' first' : ''}${column.optional ? ' optional' : ''}`}
          role="gridcell"
          title={row === undefined ? undefined : fullText(column, row)}
        >
          {row === undefined ? null : <CellOf column={column} row={row} place={place} />}
        </div>
      ))}
    </div>
  );
}

/** The text of a cell that may be longer than its column. */
function fullText({ of, index }: TableColumn, { ancestors, labels, cells }: Row): string | undefined {
  if (of === 'ancestor') return visibleText(ancestors[index] ?? '');
  if (of === 'labels') return Object.entries(labels).map(labelText).join(', ');
  const cell = of === 'cell' ? cells[index] : undefined;
  return cell === undefined || cell.time !== undefined ? undefined : visibleText(cell.text);
}

function labelText([name, value]: readonly [string, string]): string {
  return visibleText(value === '' ? name : `${name}=${value}`);
}

/** The content of one cell. */
export function CellOf({
  column,
  row,
  place: { group, version, plural },
  isStop = false,
}: {
  readonly column: TableColumn;
  readonly row: Row;
  readonly place: CollectionPlace;
  /** Whether Tab stops at its link. */
  readonly isStop?: boolean;
}) {
  switch (column.of) {
    case 'name':
      return (
        <>
          <NarrowState row={row} />
          <Link
            to="/r/$group/$version/$plural/$"
            params={{ group, version, plural, _splat: [...row.ancestors, row.name].join('/') }}
            search={({ in: scope }) => ({ in: scope })}
            tabIndex={isStop ? 0 : -1}
            title={visibleText(row.name)}
          >
            {visibleText(row.name)}
          </Link>
        </>
      );
    case 'ancestor':
      return visibleText(row.ancestors[column.index] ?? '');
    case 'labels':
      return <Labels labels={row.labels} />;
    case 'age':
      return <Age time={row.createdAt} />;
    case 'state':
      return (
        <>
          {row.deletedAt ? <StateBadge state="deleting" /> : null}
          {row.protected ? <ProtectedBadge /> : null}
        </>
      );
    default: {
      const cell = row.cells[column.index];
      if (cell === undefined) return null;
      return cell.time === undefined ? visibleText(cell.text) : <Age time={cell.time} />;
    }
  }
}

/** The state as a drawing before the name: phones have no column for it. */
function NarrowState({ row: { deletedAt, protected: isProtected } }: { readonly row: Row }) {
  const states = [
    ...(deletedAt === null ? [] : [{ icon: 'bin', word: 'Deleting' } as const]),
    ...(isProtected ? [{ icon: 'lock', word: 'Protected' } as const] : []),
  ];
  return states.map(({ icon, word }) => (
    <span key={icon} className="grid-row-state" data-state={icon === 'bin' ? 'deleting' : undefined}>
      <Icon name={icon} />
      <span className="visually-hidden">{word}</span>
    </span>
  ));
}

function Labels({ labels }: { readonly labels: Row['labels'] }) {
  const entries = Object.entries(labels);
  return (
    <>
      {entries.slice(0, mostLabels).map((entry) => (
        <span key={entry[0]} className="chip">
          {labelText(entry)}
        </span>
      ))}
      {entries.length > mostLabels ? <span className="muted">{entries.length - mostLabels} more</span> : null}
    </>
  );
}
