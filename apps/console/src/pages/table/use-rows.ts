import { useNavigate } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect } from 'react';
import type { Kind } from '../../api/kinds.ts';
import type { CollectionPlace } from '../../api/resource.ts';
import { useSettings } from '../../app/settings.ts';
import type { Row } from '../../live/row.ts';
import { copyText } from '../../ui/copy.tsx';
import { useLastRow } from './use-last-row.ts';
import { useRowFocus, useRowKeys } from './use-row-keys.ts';
import type { Table } from './use-table.ts';

/** A table, and what its rows do. */
export interface GridProps {
  readonly kind: Kind;
  readonly place: CollectionPlace;
  readonly table: Table;
  readonly selected: ReadonlyMap<string, Row>;
  readonly onSelect: (row: Row) => void;
  readonly onPanel: (uid: string) => void;
  readonly onDelete: (row: Row) => void;
}

/** Pixels of the names of the columns. */
export const headHeight = 34;
/** Rows around those in sight that are in the page, too. */
const overscan = 8;
/** Rows that are asked for before the box is measured. */
const firstRows = 60;

/** The rows in sight, the one with the focus, and the keys that move it and act on it. */
export function useRows(props: GridProps, box: RefObject<HTMLDivElement | null>) {
  const {
    place,
    table: { state, tell },
  } = props;
  const { density } = useSettings();
  const navigate = useNavigate();
  const { at: focused, row: focusedRow, focusOn } = useRowFocus(props.table);
  const rowHeight = density === 'compact' ? 32 : 40;
  const virtual = useVirtualizer({
    count: state.shown,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan,
    scrollPaddingStart: headHeight,
    // The row with the focus stays in the page: the grid names it as its active descendant.
    rangeExtractor: (range) => [
      ...new Set(defaultRangeExtractor(range).concat(focused < range.count ? focused : [])),
    ],
  });
  useLastRow(virtual, {
    focused,
    uid: focusedRow?.uid,
    focusOn,
    shown: state.shown,
    isComplete: state.complete,
  });
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: firstRows };
  const from = Math.max(0, startIndex - overscan);
  const to = endIndex + 1 + overscan;
  const scrolled = virtual.scrollOffset ?? 0;
  const top = scrolled === 0 ? null : Math.floor(scrolled / rowHeight);
  useEffect(() => tell({ type: 'window', from, to, top }), [from, to, top, tell]);
  // The row that was the first one in sight stays where it is on the screen.
  const moved = top === null || state.top.was !== top ? 0 : state.top.at - top;
  useLayoutEffect(() => {
    if (moved !== 0) box.current?.scrollBy(0, moved * rowHeight);
  }, [box, moved, rowHeight]);
  const rowAt = (index: number) =>
    (index === focused ? focusedRow : undefined) ?? state.rows[index - state.from];
  const open = (row: Row, tab?: string) =>
    void navigate({
      to: '/r/$group/$version/$plural/$',
      params: { ...pathOf(place), _splat: [...row.ancestors, row.name].join('/') },
      search: ({ in: scope }) => ({ in: scope, tab }),
    });
  const withRow = (act: (row: Row) => void) => {
    if (focusedRow !== undefined) act(focusedRow);
  };
  const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 320) / rowHeight) - 2);
  const onKeyDown = useRowKeys(focused, state.shown - 1, page, {
    go: (index) => {
      focusOn(index, rowAt(index)?.uid);
      virtual.scrollToIndex(index);
    },
    panel: () => withRow((row) => props.onPanel(row.uid)),
    page: (tab) => withRow((row) => open(row, tab)),
    select: () => withRow(props.onSelect),
    copy: () => withRow(({ name }) => void copyText(name, name)),
    remove: () => withRow(props.onDelete),
  });
  return { virtual, focused, focusOn, rowAt, onKeyDown };
}

function pathOf({ group, version, plural }: CollectionPlace) {
  return { group, version, plural };
}
