import { type FocusEvent, type UIEvent, useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import type { ToWorker } from '../../live/messages.ts';
import { hasLayer, onLayers } from '../../ui/layers.tsx';

const free = { pointer: false, focus: false, scrolled: false, layer: false };

/**
 * Handlers for the box of the rows: nothing moves while the pointer or the focus is in it, while it is scrolled (`isAway` says that other
 * rows are above it), or while a menu or a dialog is open. A box that goes takes its hold along: it gets no event that would end it.
 */
export function useHold(tell: (message: ToWorker) => void, isShown: boolean, isAway = false) {
  const reasons = useRef(free);
  const layer = useSyncExternalStore(onLayers, hasLayer);
  const hold = useCallback(
    (part: Partial<typeof free>) => {
      const isHeld = () => Object.values(reasons.current).some(Boolean);
      const before = isHeld();
      reasons.current = { ...reasons.current, ...part };
      if (isHeld() !== before) tell({ type: 'hold', held: !before });
    },
    [tell],
  );
  useEffect(() => {
    if (!isShown) return;
    return () => hold(free);
  }, [isShown, hold]);
  useEffect(() => {
    if (isShown) hold({ layer });
  }, [isShown, layer, hold]);
  useEffect(() => {
    if (isShown) hold({ scrolled: isAway });
  }, [isShown, isAway, hold]);
  return {
    onPointerEnter: () => hold({ pointer: true }),
    onPointerLeave: () => hold({ pointer: false }),
    onFocus: () => hold({ focus: true }),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) hold({ focus: false });
    },
    onScroll: ({ currentTarget }: UIEvent) => hold({ scrolled: isAway || currentTarget.scrollTop > 0 }),
  };
}
