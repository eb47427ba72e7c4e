import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { request } from '../../api/http.ts';
import { useCaller } from '../../api/queries.ts';
import type { DeletionCause, Explanation, HistoryEntry, Relative } from '../../api/resource.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Card } from '../../ui/card.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import { Cause } from './cause.tsx';
import { partPath, type ResourceView } from './view.ts';

/** Why it is in its state: what keeps a resource that is being deleted, or what a live one depends on and what depends on it. */
export function ExplainTab(view: ResourceView) {
  const path = partPath(view, 'explain');
  const { data: caller } = useCaller();
  const explanation = useQuery({
    queryKey: ['explain', path, view.resource.metadata.revision],
    queryFn: ({ signal }) => request<Explanation>(path, { signal }),
    placeholderData: keepPreviousData,
    // Causes end without a change of the resource itself. For operators the progress of the deletion tells when to ask again.
    refetchInterval:
      view.resource.metadata.deletionTimestamp === undefined || caller?.operator ? false : 5_000,
  });
  if (explanation.error !== null)
    return <Failure error={explanation.error} what="ask why it is in its state" />;
  if (explanation.data === undefined) return <Loading rows={4} />;
  const { data } = explanation;
  if ('causes' in data)
    return <Causes view={view} causes={data.causes} truncated={data.truncated === true} />;
  return (
    <div className="stack">
      <p>It is not being deleted.</p>
      <div className="cards">
        <Relatives view={view} title="It depends on" items={data.owners} none="Nothing above it." />
        <Relatives view={view} title="Dependents" items={data.dependents} none="Nothing depends on it." />
        <LatestChanges changes={data.changes} />
      </div>
      {data.truncated === true ? <p className="banner">There are more dependents than are shown.</p> : null}
    </div>
  );
}

/** How it came to be as it is. */
function LatestChanges({ changes }: { readonly changes: readonly HistoryEntry[] }) {
  return (
    <Card
      title="Latest changes"
      flush
      actions={
        <Link to="." search={(before) => ({ in: before.in, tab: 'history' })}>
          History
        </Link>
      }
    >
      {changes.length === 0 ? <p className="state muted">None within the retention.</p> : null}
      <ul className="rows">
        {changes.map(({ revision, operation, actor, time, reason }) => (
          <li key={`${revision} ${operation}`}>
            <span className="grow">
              {operation} by {actor.id}
              {reason === undefined ? null : <div className="muted">{visibleText(reason)}</div>}
            </span>
            <span className="muted">revision {revision}</span>
            <Age time={time} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Causes({
  view,
  causes,
  truncated,
}: {
  readonly view: ResourceView;
  readonly causes: readonly DeletionCause[];
  readonly truncated: boolean;
}) {
  return (
    <Card title={causes.length === 1 ? 'One cause keeps it' : `${causes.length} causes keep it`} flush>
      <ol className="rows">
        {causes.map((cause) => (
          <Cause
            key={`${cause.kind}-${cause.resource.uid}-${cause.detail}`}
            registry={view.registry}
            cause={cause}
          />
        ))}
      </ol>
      {truncated ? <p className="state muted">There may be more causes.</p> : null}
    </Card>
  );
}

function Relatives({
  view,
  title,
  items,
  none,
}: {
  readonly view: ResourceView;
  readonly title: string;
  readonly items: readonly Relative[];
  readonly none: string;
}) {
  const words: Readonly<Record<Relative['relationship'], string>> = {
    parent: 'parent',
    owner: 'owner',
    structuralChild: 'child',
    ownerReference: 'names it as owner',
  };
  return (
    <Card title={title} flush>
      {items.length === 0 ? <p className="state muted">{none}</p> : null}
      <ul className="rows">
        {items.map((item) => (
          <li key={`${item.uid}-${item.relationship}`}>
            <span className="grow">
              <ResourceName registry={view.registry} identity={item} />
            </span>
            <span className="muted">
              {words[item.relationship]}
              {item.blockOwnerDeletion === true ? ', its owner waits for it' : ''}
            </span>
            {item.deletionTimestamp === null ? null : <StateBadge state="deleting" />}
          </li>
        ))}
      </ul>
    </Card>
  );
}
