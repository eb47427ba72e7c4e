import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';

const question = 'Leave without saving? Your input will be lost.';

/**
 * Asks before typed text is lost. Other tabs of the same page are a part of leaving, too. The function that it returns lets the next
 * navigation pass, after a save.
 */
export function useLeaveWarning(isDirty: boolean): () => void {
  const isDone = useRef(false);
  useBlocker({
    shouldBlockFn: ({ current, next }) => {
      if (!isDirty || isDone.current) return false;
      if (current.pathname === next.pathname && current.search.tab === next.search.tab) return false;
      return !window.confirm(question);
    },
    enableBeforeUnload: () => isDirty && !isDone.current,
  });
  return () => {
    isDone.current = true;
  };
}

/** Warns before a dialog with unsaved changes closes. Its close button and Escape are ways to leave, too. */
export function useGuardedClose(
  isDirty: boolean,
  onClose: () => void,
): { readonly close: () => void; readonly done: () => void } {
  const release = useLeaveWarning(isDirty);
  return {
    close: () => {
      if (!isDirty || window.confirm(question)) onClose();
    },
    done: () => {
      release();
      onClose();
    },
  };
}
