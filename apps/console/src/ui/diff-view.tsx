import type { DiffLine } from '../logic/line-diff.ts';
import { visibleText } from '../logic/visible-text.ts';

/** A comparison with signs as well as colours. */
export function DiffView({
  lines,
  label = 'Difference',
}: {
  readonly lines: readonly DiffLine[];
  readonly label?: string;
}) {
  if (lines.every(({ sign }) => sign === ' ' || sign === '…')) {
    return <p className="muted">Nothing that is shown here differs.</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys
    <section className="diff" aria-label={label} tabIndex={0}>
      {lines.map(({ sign, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
        <div key={index} data-sign={sign}>
          {`${sign} ${visibleText(text)}`}
        </div>
      ))}
    </section>
  );
}
