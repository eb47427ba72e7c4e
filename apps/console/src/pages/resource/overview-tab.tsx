import { useState } from 'react';
import { slotsOf } from '../../logic/state.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { Age, ExactTime } from '../../ui/time.tsx';
import { Conditions } from './conditions.tsx';
import type { ResourceView } from './view.ts';

/** Who it is, what it belongs to, and how it is. */
export function OverviewTab(view: ResourceView) {
  const { resource, registry, kind } = view;
  const { uid, revision, generation, labels, annotations, finalizers, ownerReferences, creationTimestamp } =
    resource.metadata;
  const slots = slotsOf(resource);
  return (
    <div className="cards">
      <Card title="Identity">
        <dl className="facts">
          <dt>Kind</dt>
          <dd>
            {kind.kind} <span className="muted">{resource.apiVersion}</span>
          </dd>
          <dt>Uid</dt>
          <dd>
            <code>{uid}</code> <CopyButton text={uid} label="the uid" />
          </dd>
          <dt>Created</dt>
          <dd>
            <ExactTime time={creationTimestamp} />, age <Age time={creationTimestamp} />
          </dd>
          <dt>Revision</dt>
          <dd>
            {revision}, generation {generation}
          </dd>
          <dt>Labels</dt>
          <dd>
            <Pairs pairs={labels} />
          </dd>
          <dt>Annotations</dt>
          <dd>
            <Pairs pairs={annotations} />
          </dd>
          <dt>Finalizers</dt>
          <dd>
            {finalizers.length === 0 ? <span className="muted">none</span> : null}
            <span className="chips">
              {finalizers.map((name) => (
                <span key={name} className="chip">
                  {visibleText(name)}
                </span>
              ))}
            </span>
          </dd>
          <dt>Owners</dt>
          <dd>
            {ownerReferences.length === 0 ? <span className="muted">none</span> : null}
            {ownerReferences.map((owner) => (
              <div key={owner.uid}>
                <ResourceName registry={registry} identity={owner} />
                {owner.blockOwnerDeletion ? <span className="muted"> (waits for this one)</span> : null}
              </div>
            ))}
          </dd>
        </dl>
      </Card>
      <Card title="Conditions" flush>
        <Conditions slots={slots} generation={generation} />
      </Card>
    </div>
  );
}

/** Pairs that are shown at first. */
const mostPairs = 40;
/** Longer values are folded, such as the document that kubectl keeps of the last apply. */
const longest = 200;

function Pairs({ pairs }: { readonly pairs: Readonly<Record<string, string>> }) {
  const [showsAll, setShowsAll] = useState(false);
  const entries = Object.entries(pairs);
  if (entries.length === 0) return <span className="muted">none</span>;
  const shown = showsAll ? entries : entries.slice(0, mostPairs);
  return (
    <span className="chips">
      {shown.map(([name, value]) => (
        <Pair key={name} name={name} value={value} />
      ))}
      {shown.length === entries.length ? null : (
        <button type="button" className="button" onClick={() => setShowsAll(true)}>
          Show all {entries.length}
        </button>
      )}
    </span>
  );
}

function Pair({ name, value }: { readonly name: string; readonly value: string }) {
  if (value.length <= longest) {
    return <span className="chip">{visibleText(value === '' ? name : `${name}=${value}`)}</span>;
  }
  return (
    <details className="chip folded">
      <summary>
        {name}, {value.length.toLocaleString('en')} characters
      </summary>
      <div>{visibleText(value)}</div>
    </details>
  );
}
