import { useRouter } from '@tanstack/react-router';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

/** Where the user left a table: the row with the focus, and how far it was scrolled. */
interface LastRow {
  readonly focused: number;
  readonly uid: string | undefined;
  readonly top: number;
}

/** By entry of the browser's history, for as long as the page is open. */
const left = new Map<string, LastRow>();
/** Entries that are remembered, at most: nobody goes back further. */
const mostLeft = 100;

/** The rows of a table, and the one with the focus. */
interface Rows {
  readonly focused: number;
  readonly uid: string | undefined;
  readonly focusOn: (at: number, uid?: string) => void;
  /** How many there are, as far as they are known. */
  readonly shown: number;
  readonly isComplete: boolean;
}

/** Remembers where a table was left, and brings the user back there with Back and Forward, once the rows are known. */
export function useLastRow(
  virtual: Virtualizer<HTMLDivElement, Element>,
  { focused, uid, focusOn, shown, isComplete }: Rows,
): void {
  const router = useRouter();
  const { pathname, state } = router.state.location;
  const key = state.__TSR_key ?? '';
  const path = useRef(pathname);
  const now = useRef<{ key: string } & LastRow>({ key, focused, uid, top: 0 });
  const wanted = useRef(left.get(key));
  // While the next page is loaded, the location is that of the next page, and changed rows still render the table.
  if (pathname === path.current) {
    now.current = { key, focused, uid, top: virtual.scrollOffset ?? 0 };
  }
  useEffect(
    () => () => {
      const { key: entry, ...last } = now.current;
      if (entry === '') return;
      left.delete(entry);
      left.set(entry, last);
      if (left.size > mostLeft) left.delete(left.keys().next().value as string);
    },
    [],
  );
  useEffect(() => {
    const last = wanted.current;
    const box = virtual.scrollElement;
    if (last === undefined || box === null || (shown <= last.focused && !isComplete)) return;
    wanted.current = undefined;
    focusOn(Math.max(0, Math.min(last.focused, shown - 1)), last.uid);
    virtual.scrollToOffset(last.top);
    const { activeElement } = document;
    // The new page has given the focus to its title; nothing that the user has chosen since is left.
    if (activeElement === document.body || activeElement?.tagName === 'H1')
      box.focus({ preventScroll: true });
  }, [virtual, shown, isComplete, focusOn]);
}
