import { Link, useNavigate } from '@tanstack/react-router';
import { useCaller } from '../../api/queries.ts';
import { ownerText, type Project, projectKind } from '../../typed/kinds/project.ts';
import { ExternalLink } from '../../ui/external-link.tsx';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Age } from '../../ui/time.tsx';
import { CreateButton } from './create-button.tsx';

export const projectColumns: readonly TableColumn<Project>[] = [
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

/** The projects that the caller belongs to; all of them for admins. */
export function ProjectsTab() {
  const { data: caller } = useCaller();
  const navigate = useNavigate();
  const mayCreate = caller?.admin === true || caller?.operator === true;
  return (
    <PagedTable
      path="/api/v1/projects?limit=100"
      label="Projects"
      what="list projects"
      none="No projects yet"
      action={
        mayCreate ? (
          <CreateButton
            kind={projectKind}
            path="/api/v1/projects"
            onCreated={({ name }) => void navigate({ to: '/tenants/$project', params: { project: name } })}
          />
        ) : (
          <p className="muted">Admins create projects and add you to them.</p>
        )
      }
      keyOf={({ uid }) => uid}
      columns={projectColumns}
    />
  );
}
