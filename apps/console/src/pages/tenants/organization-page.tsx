import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Kind } from '../../api/kinds.ts';
import { useCaller, useKinds } from '../../api/queries.ts';
import { collectionPath, type ItemPlace, type Resource } from '../../api/resource.ts';
import { useLiveResource } from '../../live/use-live-resource.ts';
import { stateOf } from '../../logic/state.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { EditDialog } from '../../typed/edit-dialog.tsx';
import { organizationKind } from '../../typed/kinds/organization.ts';
import { Card } from '../../ui/card.tsx';
import { Crumbs } from '../../ui/crumbs.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import { Counts } from '../home/kind-counts.tsx';
import { ResourceActions } from '../resource/actions.tsx';
import { DeletionProgress } from '../resource/deletion-progress.tsx';
import { type ResourceView, useOffered } from '../resource/view.ts';
import { ProjectsOf, TeamsOf } from './of-organization.tsx';

/** An organization with everything below it. */
export function OrganizationPage() {
  const { organization: name = '' } = useParams({ strict: false });
  const place = { group: 'platform.dev', version: 'v1alpha1', plural: 'organizations', names: [name] };
  const { resource, error, retry, isRemoved } = useLiveResource(place);
  if (resource === undefined) {
    return (
      <Page title={name} tab={`${name}, organization`} crumbs={<ToOrganizations />}>
        {error === null ? <Loading /> : <Failure error={error} what="see this organization" retry={retry} />}
      </Page>
    );
  }
  return <Organization place={place} name={name} resource={resource} isRemoved={isRemoved} />;
}

interface OrganizationProps {
  readonly place: ItemPlace;
  readonly name: string;
  readonly resource: Resource;
  readonly isRemoved: boolean;
}

function Organization({ place, name, resource, isRemoved }: OrganizationProps) {
  const { data: caller } = useCaller();
  const view = useView(place, resource);
  const [editing, setEditing] = useState(false);
  // Hardly any controller reports on organizations, so that nothing is said when none does.
  const state = isRemoved ? 'deleting' : stateOf(resource);
  const mayChange = caller?.operator === true && !isRemoved;
  return (
    <Page
      title={visibleText(name)}
      tab={`${name}, organization`}
      crumbs={<ToOrganizations />}
      badges={state === 'unknown' ? null : <StateBadge state={state} />}
      actions={
        mayChange ? (
          <>
            <button type="button" className="button" onClick={() => setEditing(true)}>
              <Icon name="edit" />
              Edit
            </button>
            {view === null ? null : <ResourceActions {...view} />}
          </>
        ) : null
      }
    >
      {resource.metadata.deletionTimestamp === undefined || view === null || isRemoved ? null : (
        <DeletionProgress {...view} />
      )}
      <div className="cards">
        <Card title="Organization" actions={<ToResource place={place} />}>
          <Facts resource={resource} />
        </Card>
        <ResourcesBelow organization={name} />
        <ProjectsOf organization={name} />
        <TeamsOf organization={name} />
      </div>
      {editing ? (
        <EditDialog
          kind={organizationKind}
          path={collectionPath({ ...place, ancestors: place.names })}
          name={name}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </Page>
  );
}

/** The organization as the parts of the page of a resource take it; null until the kinds are known. */
function useView(place: ItemPlace, resource: Resource): ResourceView | null {
  const { data: registry } = useKinds();
  const may = useOffered(place, resource);
  const kind = registry?.byPlural(place.group, place.plural);
  if (registry === undefined || kind === undefined) return null;
  const own = { ...place, names: [`uid:${resource.metadata.uid}`] };
  return { kind, registry, resource, isRemoved: false, may, place: own };
}

function ToOrganizations() {
  return (
    <Crumbs>
      <Link to="/tenants" search={{ tab: 'organizations' }}>
        Organizations
      </Link>
    </Crumbs>
  );
}

function ToResource({ place: { group, version, plural, names } }: Pick<OrganizationProps, 'place'>) {
  return (
    <Link to="/r/$group/$version/$plural/$" params={{ group, version, plural, _splat: names.join('/') }}>
      As a resource
    </Link>
  );
}

/** How many resources of each kind are in the organization. */
function ResourcesBelow({ organization }: { readonly organization: string }) {
  const { data: registry, error, refetch } = useKinds();
  const parent = registry?.byPlural('platform.dev', 'organizations');
  const isBelow = (one: Kind) => parent !== undefined && registry?.ancestorsOf(one)?.[0] === parent;
  return (
    <Card title="Resources below" flush>
      {error !== null ? (
        <Failure error={error} what="list kinds" retry={() => void refetch()} />
      ) : registry === undefined ? (
        <Loading />
      ) : (
        <Counts
          registry={registry}
          kinds={registry.all.filter(isBelow)}
          scope={[organization]}
          none="No kind has organizations as its parent."
        />
      )}
    </Card>
  );
}

function Facts({ resource }: { readonly resource: Resource }) {
  const { metadata, spec = {} } = resource;
  const rows = [
    ['Display name', spec['displayName']],
    ['Description', spec['description']],
    ['Deployment controller class', spec['deploymentControllerClass']],
  ] as const;
  return (
    <dl className="facts">
      <dt>Uid</dt>
      <dd>
        <code>{metadata.uid}</code>
      </dd>
      {rows.map(([label, value]) =>
        typeof value === 'string' ? (
          <div key={label} className="fact">
            <dt>{label}</dt>
            <dd>{visibleText(value)}</dd>
          </div>
        ) : null,
      )}
      <dt>Created</dt>
      <dd>
        <Age time={metadata.creationTimestamp} /> ago
      </dd>
    </dl>
  );
}
