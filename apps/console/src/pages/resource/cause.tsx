import { useState } from 'react';
import type { KindRegistry } from '../../api/kinds.ts';
import { useCaller } from '../../api/queries.ts';
import type { DeletionCause } from '../../api/resource.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Lasting } from '../../ui/time.tsx';
import { EndCauseDialog } from './end-cause-dialog.tsx';

const words: Readonly<Record<DeletionCause['kind'], string>> = {
  finalizer: 'Finalizer',
  live_dependent: 'Dependent is not marked yet',
  protected: 'Protected',
  collector: 'Waits for the collector',
  definition_missing: 'Kind is not registered',
};

/** One root cause: the way to it, since when, and who can end it. */
export function Cause({
  registry,
  cause,
}: {
  readonly registry: KindRegistry;
  readonly cause: DeletionCause;
}) {
  const { kind, path, since, detail, action } = cause;
  const { data: caller } = useCaller();
  const [isEnding, setEnding] = useState(false);
  const isMine = action?.who.type === 'operator' && caller?.operator === true;
  const who = action === undefined ? '' : (action.who.id ?? `an ${action.who.type}`);
  const text =
    action === undefined ? '' : `${action.method} ${action.path}\n${JSON.stringify(action.body, null, 2)}`;
  return (
    <li>
      <StateBadge state={kind === 'collector' ? 'progressing' : 'warning'}>{words[kind]}</StateBadge>
      <span className="grow">
        <span className="cause-path">
          {path.map((identity, index) => (
            <span key={identity.uid}>
              {index === 0 ? '' : ' › '}
              <ResourceName registry={registry} identity={identity} tab="explain" />
            </span>
          ))}
        </span>
        <div>{visibleText(detail)}</div>
        {action === undefined ? null : (
          <div className="muted">
            {isMine ? 'You' : who} can end it <CopyButton text={text} label={`the request for ${who}`} />
            {isMine ? (
              <button type="button" className="button" onClick={() => setEnding(true)}>
                {endings[kind]}
              </button>
            ) : null}
          </div>
        )}
      </span>
      <span className="muted">
        <Lasting since={since} />
      </span>
      {isEnding ? (
        <EndCauseDialog title={endings[kind] ?? ''} cause={cause} onClose={() => setEnding(false)} />
      ) : null}
    </li>
  );
}

/** Actions that end a cause, for callers who may perform them. */
const endings: Partial<Readonly<Record<DeletionCause['kind'], string>>> = {
  finalizer: 'Remove the finalizer…',
  protected: 'Take the protection away…',
};
