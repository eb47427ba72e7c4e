import { useEffect, useRef } from 'react';
import type { Waiting } from '../../live/live-table.ts';
import type { TableState } from '../../live/messages.ts';
import { announce } from '../../ui/announcer.tsx';

/** How much there is, and which changes wait until nothing can move under the pointer, or until the table goes live. */
export function GridFoot({
  state,
  plural,
  onApply,
}: {
  readonly state: TableState;
  readonly plural: string;
  readonly onApply: () => void;
}) {
  const { shown, size, complete, waiting, limited } = state;
  const text = waitingText(waiting);
  useWaitingAnnounced(state, plural);
  return (
    <div className="grid-foot">
      <span hidden={size === 0 && !complete}>
        {shown === size ? '' : `${shown.toLocaleString('en')} of `}
        {size.toLocaleString('en')} {size === 1 ? 'resource' : 'resources'}
      </span>
      {text === '' ? null : (
        <button type="button" className="button" onClick={onApply}>
          {text}. Apply
        </button>
      )}
      {limited ? <span className="banner">There are more. Use a label or a field filter.</span> : null}
    </div>
  );
}

/** A busy table says something at most so often. */
const restMs = 5_000;

/** The changes that wait, such as `12 new, 3 gone`; empty when there are none. */
function waitingText({ added, gone, moved, changed }: Waiting): string {
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
function useWaitingAnnounced({ waiting, paused }: TableState, plural: string): void {
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
