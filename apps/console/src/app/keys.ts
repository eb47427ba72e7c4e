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
    const ofSingleKey = (key: string): (() => unknown) | null => {
      const isSecond = Date.now() - pressed.current < pairMs && Object.hasOwn(places, key);
      pressed.current = key === 'g' && !isSecond ? Date.now() : 0;
      if (isSecond) return () => latest.current.navigate({ to: places[key as keyof typeof places].to });
      if (key === '?') return () => latest.current.help();
      return key === '/' ? () => find(latest.current.palette) : null;
    };
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isSingle = !ctrlKey && !metaKey && !altKey && !isTyping(event.target);
      let action = singleKeys && isSingle ? ofSingleKey(key) : null;
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) action = () => latest.current.palette();
      if (action === null) return;
      event.preventDefault();
      // Before the table takes the same letter as a step.
      event.stopPropagation();
      void action();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [singleKeys]);
}

/** Goes to the filter of the page, or opens the palette where there is none. */
function find(palette: () => void): void {
  const filter = document.querySelector<HTMLInputElement>('main input[type=search]');
  if (filter === null) palette();
  else filter.focus();
}

/** Keys belong to whatever takes text, and to menus and dialogs, which have their own; the box of a row takes none but Space. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu]') !== null)
  );
}
