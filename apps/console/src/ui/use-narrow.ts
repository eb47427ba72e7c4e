import { useSyncExternalStore } from 'react';

/** Below this width the layout is that of a phone; the style sheets say the same. */
const narrow = window.matchMedia('(max-width: 767px)');

function onChange(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** Whether the window is narrow: that of a phone, or one that is zoomed in. */
export function useNarrow(): boolean {
  return useSyncExternalStore(onChange, () => narrow.matches);
}
