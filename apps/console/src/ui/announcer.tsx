import { useSyncExternalStore } from 'react';

let message = '';
const listeners = new Set<() => void>();

/** Says a sentence to screen readers. */
export function announce(text: string): void {
  message = text;
  for (const listener of listeners) listener();
}

/** The one polite live region of the page. */
export function Announcer() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => message,
  );
  return (
    <div className="visually-hidden" role="status">
      {text}
    </div>
  );
}
