import { useEffect, useRef } from 'react';
import type { ToWorker } from '../../live/messages.ts';

/**
 * Handlers for the box of the rows: nothing moves while the pointer or the focus is in it. A box that goes takes its hold along: it gets
 * no event that would end it.
 */
export function useHold(tell: (message: ToWorker) => void, isShown: boolean) {
  const inside = useRef({ pointer: false, focus: false });
  const hold = (part: { readonly pointer: boolean } | { readonly focus: boolean }) => {
    inside.current = { ...inside.current, ...part };
    tell({ type: 'hold', held: inside.current.pointer || inside.current.focus });
  };
  useEffect(() => {
    if (!isShown) return;
    return () => {
      inside.current = { pointer: false, focus: false };
      tell({ type: 'hold', held: false });
    };
  }, [isShown, tell]);
  return {
    onPointerEnter: () => hold({ pointer: true }),
    onPointerLeave: () => hold({ pointer: false }),
    onFocus: () => hold({ focus: true }),
    onBlur: () => hold({ focus: false }),
  };
}
