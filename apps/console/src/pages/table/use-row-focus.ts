import { useCallback, useEffect, useState } from 'react';
import type { FocusRequest } from '../../live/messages.ts';
import type { Row } from '../../live/row.ts';
import type { Table } from './use-table.ts';

/** The row that the keys are on, wherever it goes: the worker follows it by its uid. */
export interface RowFocus {
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
