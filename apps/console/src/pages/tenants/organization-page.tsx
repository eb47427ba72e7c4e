import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCaller, useKinds } from '../../api/queries.ts';
import { collectionPath, type Resource } from '../../api/resource.ts';
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
import { useOffered } from '../resource/view.ts';
import { ProjectsOf, TeamsOf } from './of-organization.tsx';

/** An organization with everything below it. */
export function OrganizationPage() {
  const { organization: name = '' } = useParams({ strict: false });
  const kinds = useKinds();
  const { data: caller } = useCaller();
  const place = { group: 'platform.dev', version: 'v1alpha1', plural: 'organizations', names: [name] };
  const { resource, error, retry, isRemoved } = useLiveResource(place);
  const may = useOffered(place, resource);
  const [editing, setEditing] = useState(false);
  const registry = kinds.data;
  const kind = registry?.byPlural('platform.dev', 'organizations');
  const crumbs = (
    <Crumbs>
      <Link to="/tenants" search={{ tab: 'organizations' }}>
        Organizations
      </Link>
    </Crumbs>
  );
  if (resource === undefined) {
    return (
      <Page title={name} tab={`${name}, organization`} crumbs={crumbs}>
        {error === null ? <Loading /> : <Failure error={error} what="see this organization" retry={retry} />}
      </Page>
    );
  }
  const view =
    kind === undefined || registry === undefined
      ? null
      : {
          kind,
          registry,
          resource,
          may,
          place: { ...place, names: [`uid:${resource.metadata.uid}`] },
        };
  // Hardly any controller reports on organizations, so that nothing is said when none does.
  const state = isRemoved ? 'deleting' : stateOf(resource);
  const mayChange = caller?.operator === true && !isRemoved;
  return (
    <Page
      title={visibleText(name)}
      tab={`${name}, organization`}
      crumbs={crumbs}
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
        <Card
          title="Organization"
          actions={
            <Link
              to="/r/$group/$version/$plural/$"
              params={{ group: place.group, version: place.version, plural: place.plural, _splat: name }}
            >
              As a resource
            </Link>
          }
        >
          <Facts resource={resource} />
        </Card>
        <Card title="Resources below" flush>
          {kinds.error !== null ? (
            <Failure error={kinds.error} what="list kinds" retry={() => void kinds.refetch()} />
          ) : registry === undefined ? (
            <Loading />
          ) : (
            <Counts
              registry={registry}
              kinds={registry.all.filter(
                (one) => kind !== undefined && registry.ancestorsOf(one)?.[0] === kind,
              )}
              scope={[name]}
              none="No kind has organizations as its parent."
            />
          )}
        </Card>
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
