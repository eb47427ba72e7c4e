import { lazy, Suspense, useEffect, useState } from 'react';
import { announce } from '../../ui/announcer.tsx';
import { type BulkProps, useBulkAccess } from './bulk.ts';
import type { Selection } from './use-selection.ts';

const BulkDeletion = lazy(() =>
  import('./bulk-deletion.tsx').then((module) => ({ default: module.BulkDeletion })),
);
const BulkLabel = lazy(() => import('./bulk-label.tsx').then((module) => ({ default: module.BulkLabel })));

/** Each of them costs a plan, and one request changes them all. */
const mostSelected = 100;

/** The actions on the selected rows together. */
export function SelectionBar({
  missing,
  selection: { clear, drop, isDeleting, askToDelete },
  ...bulk
}: Omit<BulkProps, 'onDone' | 'onClose'> & {
  /** Rows of the selection that are gone. */
  readonly missing: readonly string[];
  readonly selection: Selection;
}) {
  const [labels, setLabels] = useState(false);
  const { rows, place } = bulk;
  const may = useBulkAccess(place, rows, rows.length <= mostSelected);
  const isTooMuch = rows.length > mostSelected;
  // A key may ask for what cannot be done: it is not asked about later, when the selection is another one.
  const isInVain = isDeleting && (isTooMuch || typeof may.delete === 'object');
  useEffect(() => {
    if (isInVain) askToDelete(false);
  }, [isInVain, askToDelete]);
  // Not under an open dialog, whose own deletion is in sight before its answer comes.
  const isIdle = !isDeleting && !labels;
  useEffect(() => {
    if (!isIdle || missing.length === 0) return;
    drop(missing);
    announce(
      missing.length === 1
        ? 'A selected resource is not in the list any more'
        : `${missing.length} selected resources are not in the list any more`,
    );
  }, [isIdle, missing, drop]);
  const close = () => {
    askToDelete(false);
    setLabels(false);
  };
  const done = () => {
    close();
    clear();
  };
  return (
    <section className="selection-bar" aria-label="Selection">
      <strong>{rows.length} selected</strong>
      <button
        type="button"
        className="button"
        disabled={isTooMuch || may.patch !== true}
        onClick={() => setLabels(true)}
      >
        Label…
      </button>
      <button
        type="button"
        className="button danger"
        disabled={isTooMuch || may.delete !== true}
        onClick={() => askToDelete(true)}
      >
        Delete…
      </button>
      <button type="button" className="button quiet" onClick={clear}>
        Clear the selection
      </button>
      {isTooMuch ? <span className="muted">Select at most {mostSelected} for one change.</span> : null}
      {refusals(may).map((text) => (
        <span key={text} className="hint">
          {text}
        </span>
      ))}
      <Suspense fallback={null}>
        {isDeleting && may.delete === true ? <BulkDeletion {...bulk} onDone={done} onClose={close} /> : null}
        {labels ? <BulkLabel {...bulk} onDone={done} onClose={close} /> : null}
      </Suspense>
    </section>
  );
}

/** Which action is switched off, and for how many of the rows. */
function refusals({ patch, delete: remove }: ReturnType<typeof useBulkAccess>): readonly string[] {
  const said = (verb: string, refused: true | undefined | { readonly refused: number }) =>
    typeof refused === 'object' ? [`You may not ${verb} ${refused.refused} of them.`] : [];
  return [...said('label', patch), ...said('delete', remove)];
}
