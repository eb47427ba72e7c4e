import { useEffect, useRef } from 'react';
import type { Waiting } from '../../live/live-table.ts';
import type { TableState } from '../../live/messages.ts';
import { announce } from '../../ui/announcer.tsx';

/** A busy table says something at most so often. */
const restMs = 5_000;

/** The changes that wait, such as `12 new, 3 gone`; empty when there are none. */
export function waitingText({ added, gone, moved, changed }: Waiting): string {
  const counts = [
    [added, 'new'],
    [gone, 'gone'],
    [moved, 'moved'],
    [changed, 'changed'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

/** Says to screen readers which changes wait until somebody applies them; nothing while the table is paused. */
export function useWaitingAnnounced({ waiting, paused }: TableState, plural: string): void {
  const text = paused ? '' : waitingText(waiting);
  const latest = useRef({ text, plural });
  latest.current = { text, plural };
  useEffect(() => {
    let told = '';
    const timer = setInterval(() => {
      const { text: now, plural: kind } = latest.current;
      if (now !== '' && now !== told) announce(`${now} in ${kind}`);
      told = now;
    }, restMs);
    return () => clearInterval(timer);
  }, []);
}
