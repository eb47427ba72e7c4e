import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useSettings } from './settings.ts';

/** Where `g` and a letter go. */
export const places = {
  h: { to: '/', label: 'Home' },
  k: { to: '/kinds', label: 'Kinds' },
  r: { to: '/removed', label: 'Removed' },
  p: { to: '/tenants', label: 'Projects' },
  a: { to: '/access', label: 'Access' },
  s: { to: '/settings', label: 'Settings' },
} as const;

/** The second key of `g` must come this soon. */
const pairMs = 1_500;

/** Keys of the whole page: the palette by Ctrl K, and unless they are switched off, keys without Ctrl. */
export function useKeys({
  palette,
  help,
}: {
  readonly palette: () => void;
  readonly help: () => void;
}): void {
  const { singleKeys } = useSettings();
  const navigate = useNavigate();
  const pressed = useRef(0);
  const latest = useRef({ palette, help, navigate });
  latest.current = { palette, help, navigate };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) {
        event.preventDefault();
        latest.current.palette();
        return;
      }
      if (!singleKeys || ctrlKey || metaKey || altKey || isTyping(event.target)) return;
      if (Date.now() - pressed.current < pairMs && Object.hasOwn(places, key)) {
        pressed.current = 0;
        event.preventDefault();
        // Before the table takes the same letter as a step.
        event.stopPropagation();
        void latest.current.navigate({ to: places[key as keyof typeof places].to });
        return;
      }
      pressed.current = key === 'g' ? Date.now() : 0;
      if (key === '?') latest.current.help();
      else if (key === '/') {
        const field = document.querySelector<HTMLInputElement>('main input[type=search]');
        if (field === null) latest.current.palette();
        else field.focus();
      } else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [singleKeys]);
}

/** Keys belong to whatever takes text, and to menus and dialogs, which have their own. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null)
  );
}
