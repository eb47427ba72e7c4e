import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';
import type { Kind } from '../../api/kinds.ts';
import type { CollectionPlace } from '../../api/resource.ts';
import { useSettings } from '../../app/settings.ts';
import type { Row } from '../../live/row.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Loading } from '../../ui/states.tsx';
import { EmptyTable } from './empty-table.tsx';
import { GridFoot } from './grid-foot.tsx';
import { GridHead } from './grid-head.tsx';
import { GridRow } from './grid-row.tsx';
import { templateOf } from './layout.ts';
import { useHold } from './use-hold.ts';
import { useLastRow } from './use-last-row.ts';
import { useRowKeys } from './use-row-keys.ts';
import type { Table } from './use-table.ts';

export interface GridProps {
  readonly kind: Kind;
  readonly place: CollectionPlace;
  readonly table: Table;
  readonly selected: ReadonlyMap<string, Row>;
  readonly onSelect: (row: Row) => void;
  readonly onPanel: (uid: string) => void;
  readonly onDelete: (row: Row) => void;
}

/** More changes in a second are not marked one by one: the page would flicker. */
const mostMarked = 20;
/** Pixels of the names of the columns. */
const headHeight = 34;
/** Pixels that are left for the scroll bar below the rows. */
const scrollBarHeight = 18;

/** Rows of one height; only those in sight are in the page, the worker has the rest. */
export function Grid(props: GridProps) {
  const { kind, place, table } = props;
  const { columns, state, tell, sort, onSort } = table;
  const box = useRef<HTMLDivElement>(null);
  const { virtual, focused, setFocused, rowAt, onKeyDown } = useRows(props, box);
  const isEmpty = state.complete && state.shown === 0;
  const isLoading = state.connection.at === 'loading' && state.size === 0 && !state.complete;
  const holding = useHold(tell, !isLoading && !isEmpty);
  if (isLoading) return <Loading rows={8} />;
  if (isEmpty) return <EmptyTable kind={kind} place={place} size={state.size} />;
  const template = templateOf(columns);
  const height = headHeight + virtual.getTotalSize();
  const isMarked = !isBurst(state.rows);
  return (
    <>
      <div
        ref={box}
        className="grid-box"
        style={{ '--rows': `${height + scrollBarHeight}px` } as CSSProperties}
        role="grid"
        tabIndex={0}
        aria-label={kind.plural}
        aria-rowcount={state.complete ? state.shown + 1 : -1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={rowAt(focused) === undefined ? undefined : `row-${focused}`}
        onKeyDown={onKeyDown}
        {...holding}
      >
        <div className="grid" role="presentation" style={{ height }}>
          <GridHead
            columns={columns}
            template={template}
            sort={sort}
            complete={state.complete}
            onSort={onSort}
          />
          <div role="rowgroup">
            {virtual.getVirtualItems().map(({ index, start, key }) => (
              <GridRow
                key={key}
                index={index}
                row={rowAt(index)}
                top={headHeight + start}
                template={template}
                isFocused={index === focused}
                isMarked={isMarked}
                isSelected={props.selected.has(rowAt(index)?.uid ?? '')}
                place={place}
                columns={columns}
                onSelect={props.onSelect}
                onPoint={setFocused}
              />
            ))}
          </div>
        </div>
      </div>
      <GridFoot state={state} onApply={() => tell({ type: 'apply' })} />
    </>
  );
}

/** The rows in sight, the one with the focus, and the keys that move it and act on it. */
function useRows(props: GridProps, box: RefObject<HTMLDivElement | null>) {
  const {
    place,
    table: { state, tell },
  } = props;
  const { density } = useSettings();
  const navigate = useNavigate();
  const [focused, setFocused] = useState(0);
  const rowHeight = density === 'compact' ? 32 : 40;
  const virtual = useVirtualizer({
    count: state.shown,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart: headHeight,
  });
  useLastRow(virtual, { focused, setFocused, shown: state.shown, isComplete: state.complete });
  const items = virtual.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? 59) + 1;
  useEffect(() => tell({ type: 'window', from, to }), [from, to, tell]);
  const rowAt = (index: number) => state.rows[index - state.from];
  const open = (row: Row, tab?: string) =>
    void navigate({
      to: '/r/$group/$version/$plural/$',
      params: { ...pathOf(place), _splat: [...row.ancestors, row.name].join('/') },
      search: ({ in: scope }) => ({ in: scope, tab }),
    });
  const withRow = (act: (row: Row) => void) => {
    const row = rowAt(focused);
    if (row !== undefined) act(row);
  };
  const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 320) / rowHeight) - 2);
  const onKeyDown = useRowKeys(focused, state.shown - 1, page, {
    go: (index) => {
      setFocused(index);
      virtual.scrollToIndex(index);
    },
    panel: () => withRow((row) => props.onPanel(row.uid)),
    page: (tab) => withRow((row) => open(row, tab)),
    select: () => withRow(props.onSelect),
    copy: () => withRow(({ name }) => void copyText(name, name)),
    remove: () => withRow(props.onDelete),
  });
  return { virtual, focused, setFocused, rowAt, onKeyDown };
}

function isBurst(rows: readonly Row[]): boolean {
  const second = Date.now() - 1_000;
  return rows.filter(({ changedAt }) => changedAt > second).length > mostMarked;
}

function pathOf({ group, version, plural }: CollectionPlace) {
  return { group, version, plural };
}
