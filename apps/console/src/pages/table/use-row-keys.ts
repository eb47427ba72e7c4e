import type { KeyboardEvent } from 'react';
import { useSettings } from '../../app/settings.ts';

/** The keyboard actions on the row that has the focus. */
export interface RowActions {
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
