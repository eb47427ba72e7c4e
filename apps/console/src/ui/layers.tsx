import { useEffect } from 'react';

/** Menus and dialogs that are open above the page. */
let open = 0;
const listeners = new Set<() => void>();

export function hasLayer(): boolean {
  return open > 0;
}

export function onLayers(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stands in a menu or dialog: while it is there, the page below holds still. */
export function Layer() {
  useEffect(() => {
    const count = (change: 1 | -1) => {
      open += change;
      for (const listener of listeners) listener();
    };
    count(1);
    return () => count(-1);
  }, []);
  return null;
}
