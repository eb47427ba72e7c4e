import type { TableState } from '../../live/messages.ts';
import { useWaitingAnnounced, waitingText } from './use-waiting-announced.ts';

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
  const { shown, size, waiting, limited } = state;
  const text = waitingText(waiting);
  useWaitingAnnounced(state, plural);
  return (
    <div className="grid-foot">
      <span>
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
