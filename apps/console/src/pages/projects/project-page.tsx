import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { EditDialog } from '../../typed/edit-dialog.tsx';
import { type Project, projectKind } from '../../typed/kinds/project.ts';
import { useItem } from '../../typed/use-item.ts';
import { Crumbs } from '../../ui/crumbs.tsx';
import { ItemActions } from '../../ui/item-actions.tsx';
import { Page } from '../../ui/page.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { TabSet } from '../../ui/tab-set.tsx';
import { collections } from './collections.tsx';
import { DeleteProject } from './delete-project.tsx';
import { DomainsTab } from './domains-tab.tsx';
import { LoginsTab } from './logins-tab.tsx';
import { projectPath } from './paths.ts';
import { ProjectOverview } from './project-overview.tsx';

/** One project with everything below it. */
export function ProjectPage() {
  const { project: name = '' } = useParams({ strict: false });
  const navigate = useNavigate();
  const path = projectPath(name);
  const project = useItem<Project>(path);
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const { data } = project;
  return (
    <Page
      title={name}
      tab={`${name}, project`}
      crumbs={
        <Crumbs>
          <Link to="/tenants">Projects</Link>
        </Crumbs>
      }
      actions={
        data === undefined ? null : (
          <ItemActions onEdit={() => setDialog('edit')} onDelete={() => setDialog('delete')} />
        )
      }
    >
      {project.error !== null ? (
        <Failure error={project.error} what="see this project" retry={() => void project.refetch()} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <TabSet
          label={`Parts of ${name}`}
          tabs={[
            { id: 'overview', label: 'Overview', content: () => <ProjectOverview project={data} /> },
            ...collections.map(({ tab, title, renderTab }) => ({
              id: tab,
              label: title,
              content: () => renderTab(name),
            })),
            { id: 'domains', label: 'Domains', content: () => <DomainsTab project={data} /> },
            { id: 'logins', label: 'Logins', content: () => <LoginsTab project={name} /> },
          ]}
        />
      )}
      {dialog === 'edit' ? (
        <EditDialog kind={projectKind} path={path} name={name} project={name} onClose={close} />
      ) : null}
      {dialog === 'delete' && data !== undefined ? (
        <DeleteProject
          project={data}
          path={path}
          onClose={close}
          onDeleted={() => void navigate({ to: '/tenants' })}
        />
      ) : null}
    </Page>
  );
}
