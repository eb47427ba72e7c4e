import { type Conflict, valueText } from './merge.ts';

/** Places that two people changed: base, mine and live next to each other, and a choice for each. */
export function ConflictPanel({
  conflicts,
  isParsed = true,
  onResolve,
}: {
  readonly conflicts: readonly Conflict[];
  /** Whether the text can be parsed: only then can a value of others be put into it. */
  readonly isParsed?: boolean;
  readonly onResolve: (conflict: Conflict, side: 'mine' | 'live') => void;
}) {
  return (
    <section className="conflicts" aria-label="Conflicts">
      <p className="banner">
        Somebody changed the same {conflicts.length === 1 ? 'place' : `${conflicts.length} places`}. Choose
        for each before you go on.
        {isParsed ? '' : ' Correct the text before you take theirs.'}
      </p>
      {conflicts.map((conflict) => {
        const path = conflict.path.join('.');
        return (
          <div key={path} className="card">
            <header>
              <code>{path}</code>
              <span className="spring" />
              <button type="button" className="button" onClick={() => onResolve(conflict, 'mine')}>
                Keep mine<span className="visually-hidden"> for {path}</span>
              </button>
              <button
                type="button"
                className="button"
                disabled={!isParsed}
                onClick={() => onResolve(conflict, 'live')}
              >
                Take theirs<span className="visually-hidden"> for {path}</span>
              </button>
            </header>
            <dl className="three body">
              <div>
                <dt>Before</dt>
                <dd className="mono">{valueText(conflict.base)}</dd>
              </div>
              <div>
                <dt>Mine</dt>
                <dd className="mono">{valueText(conflict.mine)}</dd>
              </div>
              <div>
                <dt>Theirs</dt>
                <dd className="mono">{valueText(conflict.live)}</dd>
              </div>
            </dl>
          </div>
        );
      })}
    </section>
  );
}
