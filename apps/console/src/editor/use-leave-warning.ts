import { useBlocker } from '@tanstack/react-router';

/** Asks before typed text is lost. Other tabs of the same page are a part of leaving, too. */
export function useLeaveWarning(isDirty: boolean): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) => {
      if (!isDirty) return false;
      if (current.pathname === next.pathname && current.search.tab === next.search.tab) return false;
      return !window.confirm('Leave the editor? The changes are not saved.');
    },
    enableBeforeUnload: () => isDirty,
  });
}
