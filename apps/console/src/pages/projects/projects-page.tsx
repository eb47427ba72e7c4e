import { Link } from '@tanstack/react-router';
import type { components } from 'platform-service-client/api-types';
import { Page } from '../../ui/page.tsx';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Age } from '../../ui/time.tsx';

type Project = components['schemas']['Project'];

const columns: readonly TableColumn<Project>[] = [
  {
    name: 'Name',
    cell: ({ name }) => (
      <Link to="/tenants/$project" params={{ project: name }}>
        {name}
      </Link>
    ),
  },
  { name: 'Organization', cell: ({ organization }) => organization },
  { name: 'Access', cell: (project) => project.access_class },
  { name: 'Owner', cell: ({ owner }) => ('user' in owner ? owner.user : `team ${owner.team}`) },
  { name: 'URL', cell: ({ url }) => <ExternalLink url={url} /> },
  { name: 'Age', cell: (project) => <Age time={project.created_at} /> },
];

/** The projects that the caller belongs to. */
export function ProjectsPage() {
  return (
    <Page title="Projects">
      <PagedTable
        path="/api/v1/projects?limit=100"
        what="list projects"
        none="No projects yet"
        keyOf={({ uid }) => uid}
        columns={columns}
      />
    </Page>
  );
}

/** A link that others wrote: only https, shown with its whole address. */
export function ExternalLink({ url }: { readonly url: string }) {
  if (!url.startsWith('https://')) return <code>{url}</code>;
  return (
    <a href={url} rel="noreferrer" target="_blank">
      {url}
    </a>
  );
}
