import { type CSSProperties, useRef, useSyncExternalStore } from 'react';
import type { Row } from '../../live/row.ts';
import { Loading } from '../../ui/states.tsx';
import { EmptyTable } from './empty-table.tsx';
import { GridFoot } from './grid-foot.tsx';
import { GridHead } from './grid-head.tsx';
import { GridRow } from './grid-row.tsx';
import { templateOf } from './layout.ts';
import { useHold } from './use-hold.ts';
import { type GridProps, headHeight, useRows } from './use-rows.ts';

/** More changes in a second are not marked one by one: the page would flicker. */
const mostMarked = 20;
/** Pixels that are left for the scroll bar below the rows. */
const scrollBarHeight = 18;

/** Rows of one height; only those in sight are in the page, the worker has the rest. */
export function Grid(props: GridProps) {
  const { kind, place, table } = props;
  const { columns, state, tell, sort, onSort } = table;
  const box = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow();
  const { virtual, focused, focusOn, rowAt, onKeyDown } = useRows(props, box);
  const isEmpty = state.complete && state.shown === 0;
  const isLoading = state.connection.at === 'loading' && state.size === 0 && !state.complete;
  const holding = useHold(tell, !isLoading && !isEmpty);
  if (isLoading) return <Loading rows={8} />;
  if (isEmpty) return <EmptyTable kind={kind} place={place} size={state.size} />;
  const template = templateOf(columns, isNarrow);
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
                onPoint={focusOn}
              />
            ))}
          </div>
        </div>
      </div>
      <GridFoot state={state} plural={kind.plural} onApply={() => tell({ type: 'apply' })} />
    </>
  );
}

function isBurst(rows: readonly Row[]): boolean {
  const second = Date.now() - 1_000;
  return rows.filter(({ changedAt }) => changedAt > second).length > mostMarked;
}

/** Below this width the layout is that of a phone; the style sheets say the same. */
const narrow = window.matchMedia('(max-width: 767px)');

function onChange(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** Whether the window is narrow: that of a phone, or one that is zoomed in. */
function useNarrow(): boolean {
  return useSyncExternalStore(onChange, () => narrow.matches);
}
