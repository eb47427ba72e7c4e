import type { TableState } from '../../live/messages.ts';

/** How much there is, and which changes wait until nothing can move under the pointer, or until the table goes live. */
export function GridFoot({ state, onApply }: { readonly state: TableState; readonly onApply: () => void }) {
  const { shown, size, waiting, limited } = state;
  const parts = [
    [waiting.added, 'new'],
    [waiting.gone, 'gone'],
    [waiting.moved, 'moved'],
    [waiting.changed, 'changed'],
  ].filter(([count]) => count !== 0);
  return (
    <div className="grid-foot">
      <span>
        {shown === size ? '' : `${shown.toLocaleString('en')} of `}
        {size.toLocaleString('en')} {size === 1 ? 'resource' : 'resources'}
      </span>
      {parts.length === 0 ? null : (
        <button type="button" className="button" onClick={onApply}>
          {parts.map(([count, word]) => `${count} ${word}`).join(', ')}. Apply
        </button>
      )}
      {limited ? <span className="banner">There are more. Use a label or a field filter.</span> : null}
    </div>
  );
}
