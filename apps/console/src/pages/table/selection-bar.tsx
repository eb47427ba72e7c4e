import { lazy, Suspense, useEffect, useState } from 'react';
import { announce } from '../../ui/announcer.tsx';
import type { BulkProps } from './bulk.ts';
import { useBulkAccess } from './use-bulk-access.ts';

const BulkDeletion = lazy(() =>
  import('./bulk-deletion.tsx').then((module) => ({ default: module.BulkDeletion })),
);
const BulkLabel = lazy(() => import('./bulk-label.tsx').then((module) => ({ default: module.BulkLabel })));

/** Each of them costs a plan, and one request changes them all. */
const mostSelected = 100;

/** The actions on the selected rows together. */
export function SelectionBar({
  onClear,
  missing,
  onDrop,
  open,
  onOpen,
  ...bulk
}: Omit<BulkProps, 'onDone' | 'onClose'> & {
  readonly onClear: () => void;
  /** Rows of the selection that are gone. */
  readonly missing: readonly string[];
  readonly onDrop: (uids: readonly string[]) => void;
  readonly open: 'delete' | null;
  readonly onOpen: (open: 'delete' | null) => void;
}) {
  const [labels, setLabels] = useState(false);
  const { rows, place } = bulk;
  const may = useBulkAccess(place, rows, rows.length <= mostSelected);
  // Not under an open dialog, whose own deletion is in sight before its answer comes.
  const isIdle = open === null && !labels;
  useEffect(() => {
    if (!isIdle || missing.length === 0) return;
    onDrop(missing);
    announce(
      missing.length === 1
        ? 'A selected resource is not in the list any more'
        : `${missing.length} selected resources are not in the list any more`,
    );
  }, [isIdle, missing, onDrop]);
  const isTooMuch = rows.length > mostSelected;
  const close = () => {
    onOpen(null);
    setLabels(false);
  };
  const done = () => {
    close();
    onClear();
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
        onClick={() => onOpen('delete')}
      >
        Delete…
      </button>
      <button type="button" className="button quiet" onClick={onClear}>
        Clear the selection
      </button>
      {isTooMuch ? <span className="muted">Select at most {mostSelected} for one change.</span> : null}
      {refusals(may).map((text) => (
        <span key={text} className="hint">
          {text}
        </span>
      ))}
      <Suspense fallback={null}>
        {open === 'delete' && may.delete === true ? (
          <BulkDeletion {...bulk} onDone={done} onClose={close} />
        ) : null}
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
