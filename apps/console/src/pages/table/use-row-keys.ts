import { type KeyboardEvent, useCallback, useEffect, useState } from 'react';
import { useSettings } from '../../app/settings.ts';
import type { FocusRequest } from '../../live/messages.ts';
import type { Row } from '../../live/row.ts';
import type { Table } from './use-table.ts';

/** The keyboard actions on the row that has the focus. */
interface RowActions {
  readonly go: (index: number) => void;
  readonly panel: () => void;
  readonly page: (tab?: string) => void;
  readonly select: () => void;
  readonly copy: () => void;
  readonly remove: () => void;
}

/** The keys of a table; letters work unless single keys are switched off. */
export function useRowKeys(focused: number, last: number, page: number, actions: RowActions) {
  const { singleKeys } = useSettings();
  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !isOfRows(event)) return;
    const steps: Record<string, number> = {
      ArrowDown: focused + 1,
      ArrowUp: focused - 1,
      PageDown: focused + page,
      PageUp: focused - page,
      Home: 0,
      End: last,
      ...(singleKeys ? { j: focused + 1, k: focused - 1 } : {}),
    };
    const acts: Record<string, () => void> = {
      Enter: shiftKey ? actions.page : actions.panel,
      ' ': actions.select,
      Delete: actions.remove,
      ...(singleKeys ? { e: () => actions.page('yaml'), y: actions.copy } : {}),
    };
    const step = steps[key];
    const act = acts[key];
    if (step === undefined && act === undefined) return;
    event.preventDefault();
    // A click has left the focus on the box of a row.
    event.currentTarget.focus({ preventScroll: true });
    if (step !== undefined) actions.go(Math.max(0, Math.min(last, step)));
    else act?.();
  };
}

/** Keys on the grid itself or on the box of a row are about rows; links and the names of the columns have their own. */
function isOfRows({ target, currentTarget }: KeyboardEvent): boolean {
  return target === currentTarget || (target instanceof HTMLInputElement && target.type === 'checkbox');
}

/** The row that the keys are on, wherever it goes: the worker follows it by its uid. */
interface RowFocus {
  readonly at: number;
  readonly row: Row | undefined;
  /** Goes to a place, or better to the row with this uid. */
  readonly focusOn: (at: number, uid?: string) => void;
}

export function useRowFocus({ state, tell, path, all }: Table): RowFocus {
  const [asked, setAsked] = useState<FocusRequest>({ request: 0, at: 0 });
  const focusOn = useCallback(
    (at: number, uid?: string) => setAsked(({ request }) => ({ request: request + 1, at, uid })),
    [],
  );
  // Again for each list that is opened: a new one knows nothing of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they open another list
  useEffect(() => {
    if (asked.request > 0) tell({ type: 'focus', ...asked });
  }, [asked, path, all, tell]);
  const { focus, rows, from } = state;
  if (focus.request === asked.request) return { at: focus.at, row: focus.row, focusOn };
  return { at: asked.at, row: rows[asked.at - from], focusOn };
}
