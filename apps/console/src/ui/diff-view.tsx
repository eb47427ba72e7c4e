import { useState } from 'react';
import type { DiffLine } from '../logic/line-diff.ts';
import { visibleText } from '../logic/visible-text.ts';

/** Lines that are drawn at first: each is an element of the page. */
const mostLines = 1_000;

/** A comparison with signs as well as colours. */
export function DiffView({
  lines,
  label = 'Difference',
}: {
  readonly lines: readonly DiffLine[];
  readonly label?: string;
}) {
  const [showsAll, setShowsAll] = useState(false);
  if (lines.every(({ sign }) => sign === ' ' || sign === '…')) {
    return <p className="muted">Nothing that is shown here differs.</p>;
  }
  const shown = showsAll ? lines : lines.slice(0, mostLines);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys */}
      <section className="diff" aria-label={label} tabIndex={0}>
        {shown.map(({ sign, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <div key={index} data-sign={sign}>
            {`${sign} ${visibleText(text)}`}
          </div>
        ))}
      </section>
      {shown.length === lines.length ? null : (
        <p className="with-label">
          These are the first {mostLines.toLocaleString('en')} lines of the difference.
          <button type="button" className="button" onClick={() => setShowsAll(true)}>
            Show all {lines.length.toLocaleString('en')}
          </button>
        </p>
      )}
    </>
  );
}
