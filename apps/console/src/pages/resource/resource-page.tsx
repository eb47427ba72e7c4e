import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccess } from '../../api/access.ts';
import { RequestError } from '../../api/http.ts';
import { definitionName, type Kind, type KindRegistry } from '../../api/kinds.ts';
import { collectionPath, type ItemPlace } from '../../api/resource.ts';
import { kindLink } from '../../app/links.ts';
import { protectionAnnotation } from '../../live/live-table.ts';
import { type LiveResource, useLiveResource } from '../../live/use-live-resource.ts';
import { stateOf } from '../../logic/state.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { ProtectedBadge, ReportedState, StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { TabSet } from '../../ui/tab-set.tsx';
import { RestoreDialog } from '../removed/restore-dialog.tsx';
import { PlaceCrumbs } from '../table/place-crumbs.tsx';
import { ResourceActions } from './actions.tsx';
import { DeletionProgress } from './deletion-progress.tsx';
import { formerTabs, resourceTabs } from './tabs.tsx';
import { type ResourceView, useOffered } from './view.ts';

/** One resource with everything that is known about it. */
export function ResourcePage({
  kind,
  registry,
  place,
}: {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  readonly place: ItemPlace;
}) {
  const { resource, error, retry, isRemoved, isFormer, connection } = useLiveResource(place);
  const may = useOffered(place, resource);
  if (resource === undefined) {
    const last = place.names.at(-1) ?? '';
    const isMissing = error instanceof RequestError && error.status === 404;
    return (
      <Page
        title={last.startsWith('uid:') ? kind.kind : visibleText(last)}
        tab={last.startsWith('uid:') ? kind.kind : `${last}, ${kind.kind}`}
      >
        {error === null ? (
          <Loading rows={6} />
        ) : (
          <Failure error={error} what={`get this ${kind.kind}`} retry={retry} />
        )}
        {isMissing ? <WhereToLook kind={kind} registry={registry} above={place.names.slice(0, -1)} /> : null}
      </Page>
    );
  }
  const { name, ancestors, uid, deletionTimestamp } = resource.metadata;
  // By uid, every part of the page stays with this very resource, also when another one takes its name.
  const own: ItemPlace = { ...place, names: [`uid:${uid}`] };
  const view = { kind, registry, place: own, resource, isRemoved, may };
  return (
    <Page
      title={visibleText(name)}
      tab={`${name}, ${kind.kind}`}
      crumbs={
        <PlaceCrumbs
          ancestors={registry.ancestorsOf(kind) ?? []}
          names={ancestors}
          registry={registry}
          table={kind}
        />
      }
      badges={<Badges view={view} connection={connection} />}
      actions={isRemoved ? null : <ResourceActions {...view} />}
    >
      {isRemoved ? (
        <Removed {...view} />
      ) : deletionTimestamp === undefined ? null : (
        <DeletionProgress {...view} />
      )}
      <TabSet label={`Parts of ${name}`} tabs={isFormer ? formerTabs(view) : resourceTabs(view)} />
    </Page>
  );
}

/** Says that the resource is gone, and restores it on this page, so that a text that somebody typed here stays. */
function Removed({ kind, registry, place, resource }: ResourceView) {
  const [isRestoring, setRestoring] = useState(false);
  const { ancestors } = resource.metadata;
  const { group, version, plural } = place;
  const collection = { group, version, plural, ancestors };
  const mayRestore = useAccess([{ verb: 'restore', path: collectionPath(collection) }])('restore');
  return (
    <div className="banner" data-tone="deleting">
      This resource was removed. The page shows its last state.
      <button
        type="button"
        className="button"
        disabled={mayRestore === false}
        onClick={() => setRestoring(true)}
      >
        <Icon name="history" />
        Restore…
      </button>
      {mayRestore === false ? <span className="hint">needs the verb restore</span> : null}
      <Link to="/removed" search={{ kind: definitionName(kind), in: ancestors.join('/') }}>
        Removed {kind.plural}
      </Link>
      {isRestoring ? (
        <RestoreDialog
          place={collection}
          registry={registry}
          resource={resource}
          onClose={() => setRestoring(false)}
        />
      ) : null}
    </div>
  );
}

/** The kind, the state, and whether what is shown is live. */
function Badges({
  view: { kind, resource, isRemoved },
  connection,
}: {
  readonly view: ResourceView;
  readonly connection: LiveResource['connection'];
}) {
  const queries = useQueryClient();
  return (
    <>
      <span className="muted">{kind.kind}</span>
      {isRemoved ? (
        <StateBadge state="deleting">Removed</StateBadge>
      ) : (
        <ReportedState state={stateOf(resource)} />
      )}
      {resource.metadata.annotations[protectionAnnotation] === 'true' ? <ProtectedBadge /> : null}
      {connection === 'cut' ? <StateBadge state="warning">Not live</StateBadge> : null}
      {connection === 'not-live' && !isRemoved ? (
        <>
          <StateBadge state="unknown">Not live</StateBadge>
          <button type="button" className="button quiet" onClick={() => void queries.invalidateQueries()}>
            <Icon name="refresh" />
            Refresh
          </button>
        </>
      ) : null}
    </>
  );
}

/** The next step where a name leads to nothing. */
function WhereToLook({
  kind,
  registry,
  above,
}: {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  readonly above: readonly string[];
}) {
  return (
    <div className="toolbar">
      <Link className="button" {...kindLink(registry, kind, above)}>
        All {kind.plural} here
      </Link>
      <Link className="button" to="/removed" search={{ kind: definitionName(kind), in: above.join('/') }}>
        Removed {kind.plural}
      </Link>
    </div>
  );
}
