import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Kind } from '../../api/kinds.ts';
import type { CollectionPlace } from '../../api/resource.ts';
import { useSettings } from '../../app/settings.ts';
import type { Row, Sort } from '../../live/live-table.ts';
import type { TableState, ToWorker } from '../../live/messages.ts';
import type { Column } from '../../logic/columns.ts';
import { Loading } from '../../ui/states.tsx';
import { EmptyTable } from './empty-table.tsx';
import { GridFoot } from './grid-foot.tsx';
import { GridHead } from './grid-head.tsx';
import { GridRow } from './grid-row.tsx';
import { columnLayout } from './layout.ts';

export interface GridProps {
  readonly kind: Kind;
  readonly place: CollectionPlace;
  readonly ancestors: readonly Kind[];
  readonly columns: readonly Column[];
  readonly state: TableState;
  readonly tell: (message: ToWorker) => void;
}

/** Rows of one height; only those in sight are in the page, the worker has the rest. */
export function Grid({ kind, place, ancestors, columns, state, tell }: GridProps) {
  const box = useRef<HTMLDivElement>(null);
  const { density } = useSettings();
  const navigate = useNavigate();
  const [sort, setSort] = useState<Sort>(null);
  const [focused, setFocused] = useState(0);
  const rowHeight = density === 'compact' ? 32 : 40;
  const virtual = useVirtualizer({
    count: state.shown,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart: 34,
  });
  const items = virtual.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? 59) + 1;
  useEffect(() => tell({ type: 'window', from, to }), [from, to, tell]);
  // Nothing moves under the pointer or the focus.
  const hold = (held: boolean) => tell({ type: 'hold', held });
  const change = (next: Sort) => {
    setSort(next);
    tell({ type: 'sort', sort: next });
  };
  const open = (row: Row) =>
    void navigate({
      to: '/r/$group/$version/$plural/$',
      params: { ...pathOf(place), _splat: [...row.ancestors, row.name].join('/') },
    });
  const rowAt = (index: number) => state.rows[index - state.from];
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 320) / rowHeight) - 2);
    const steps: Record<string, number> = {
      ArrowDown: focused + 1,
      ArrowUp: focused - 1,
      PageDown: focused + page,
      PageUp: focused - page,
      Home: 0,
      End: state.shown - 1,
    };
    const target = steps[event.key];
    if (target !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(state.shown - 1, target));
      setFocused(next);
      virtual.scrollToIndex(next);
    } else if (event.key === 'Enter' && event.target === event.currentTarget) {
      const row = rowAt(focused);
      if (row !== undefined) open(row);
    }
  };
  if (state.connection.at === 'loading' && state.size === 0 && !state.complete) return <Loading rows={8} />;
  if (state.complete && state.shown === 0) return <EmptyTable kind={kind} place={place} size={state.size} />;
  const layout = columnLayout(columns, ancestors);
  return (
    <>
      <div
        ref={box}
        className="grid-box"
        style={{ '--rows': `${virtual.getTotalSize() + 34 + 18}px` } as CSSProperties}
        role="grid"
        tabIndex={0}
        aria-label={kind.plural}
        aria-rowcount={state.complete ? state.shown + 1 : -1}
        aria-colcount={layout.names.length}
        aria-activedescendant={rowAt(focused) === undefined ? undefined : `row-${focused}`}
        onKeyDown={onKeyDown}
        onPointerEnter={() => hold(true)}
        onPointerLeave={() => hold(false)}
        onFocus={() => hold(true)}
        onBlur={() => hold(false)}
      >
        <div className="grid" role="presentation" style={{ height: virtual.getTotalSize() + 34 }}>
          <GridHead layout={layout} columns={columns} sort={sort} complete={state.complete} onSort={change} />
          <div role="rowgroup">
            {items.map(({ index, start, key }) => (
              <GridRow
                key={key}
                index={index}
                row={rowAt(index)}
                top={start + 34}
                layout={layout}
                isFocused={index === focused}
                place={place}
                columns={columns}
              />
            ))}
          </div>
        </div>
      </div>
      <GridFoot state={state} onApply={() => tell({ type: 'apply' })} />
    </>
  );
}

function pathOf({ group, version, plural }: CollectionPlace) {
  return { group, version, plural };
}
