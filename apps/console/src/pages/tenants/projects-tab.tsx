import { Link, useNavigate } from '@tanstack/react-router';
import { ownerText, type Project, projectKind } from '../../typed/kinds/project.ts';
import { ExternalLink } from '../../ui/external-link.tsx';
import type { TableColumn } from '../../ui/paged-table.tsx';
import { Age } from '../../ui/time.tsx';
import { TenantList } from './tenant-list.tsx';

const projectColumns: readonly TableColumn<Project>[] = [
  {
    name: 'Name',
    cell: ({ name }) => (
      <Link to="/tenants/$project" params={{ project: name }}>
        {name}
      </Link>
    ),
  },
  {
    name: 'Organization',
    cell: ({ organization }) => (
      <Link to="/tenants/organizations/$organization" params={{ organization }}>
        {organization}
      </Link>
    ),
  },
  { name: 'Access', cell: (project) => project.access_class },
  { name: 'Owner', cell: ownerText },
  { name: 'URL', cell: ({ url }) => <ExternalLink url={url} /> },
  { name: 'Age', cell: (project) => <Age time={project.created_at} /> },
];

export function ProjectsTab() {
  const navigate = useNavigate();
  return (
    <TenantList
      kind={projectKind}
      path="/api/v1/projects"
      columns={projectColumns}
      help={<p className="muted">Admins create projects and add you to them.</p>}
      onCreated={({ name }) => void navigate({ to: '/tenants/$project', params: { project: name } })}
    />
  );
}
