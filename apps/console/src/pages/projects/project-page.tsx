import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { components } from 'platform-service-client/api-types';
import { request } from '../../api/http.ts';
import { Page } from '../../ui/page.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { TabSet } from '../../ui/tab-set.tsx';
import { DeploymentsTab, EnvironmentsTab, ServiceAccountsTab } from './children-tabs.tsx';
import { ExtensionsTab } from './extensions-tab.tsx';
import { LoginLedger } from './login-ledger.tsx';
import { ExternalLink } from './projects-page.tsx';

type Project = components['schemas']['Project'];

/** One project with everything below it. */
export function ProjectPage() {
  const { project: name = '' } = useParams({ strict: false });
  const path = `/api/v1/projects/${encodeURIComponent(name)}`;
  const project = useQuery({
    queryKey: ['project', name],
    queryFn: ({ signal }) => request<Project>(path, { signal }),
  });
  const crumbs = (
    <nav aria-label="Place">
      <ol className="crumbs">
        <li>
          <Link to="/tenants">Projects</Link>
        </li>
      </ol>
    </nav>
  );
  return (
    <Page title={name} tab={`${name}, project`} crumbs={crumbs}>
      {project.error !== null ? (
        <Failure error={project.error} what="see this project" retry={() => void project.refetch()} />
      ) : project.data === undefined ? (
        <Loading />
      ) : (
        <TabSet
          label={`Parts of ${name}`}
          tabs={[
            { id: 'overview', label: 'Overview', content: () => <Overview project={project.data} /> },
            { id: 'environments', label: 'Environments', content: () => <EnvironmentsTab path={path} /> },
            { id: 'deployments', label: 'Deployments', content: () => <DeploymentsTab path={path} /> },
            { id: 'accounts', label: 'Service accounts', content: () => <ServiceAccountsTab path={path} /> },
            { id: 'extensions', label: 'Extensions', content: () => <ExtensionsTab path={path} /> },
            { id: 'logins', label: 'Logins', content: () => <LoginLedger project={name} /> },
          ]}
        />
      )}
    </Page>
  );
}

function Overview({ project }: { readonly project: Project }) {
  const { uid, organization, access_class, url, custom_domains, contested_addresses, owner, members } =
    project;
  return (
    <dl className="facts">
      <dt>Uid</dt>
      <dd>
        <code>{uid}</code>
      </dd>
      <dt>Organization</dt>
      <dd>{organization}</dd>
      <dt>Access</dt>
      <dd>{access_class}</dd>
      <dt>URL</dt>
      <dd>
        <ExternalLink url={url} />
      </dd>
      <dt>Domains</dt>
      <dd>{custom_domains.join(', ') || <span className="muted">none</span>}</dd>
      {contested_addresses.length === 0 ? null : (
        <>
          <dt>Not its own</dt>
          <dd>{contested_addresses.join(', ')} belong to an older project</dd>
        </>
      )}
      <dt>Owner</dt>
      <dd>{'user' in owner ? owner.user : `team ${owner.team}`}</dd>
      <dt>Members</dt>
      <dd>{members.join(', ') || <span className="muted">none</span>}</dd>
    </dl>
  );
}
