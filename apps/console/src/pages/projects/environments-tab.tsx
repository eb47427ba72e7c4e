import { useNavigate } from '@tanstack/react-router';
import { type Environment, environmentKind } from '../../typed/kinds/environment.ts';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Age } from '../../ui/time.tsx';
import { CreateButton } from '../tenants/create-button.tsx';
import { ChildLink } from './child-link.tsx';
import { collectionPathOf } from './collections.ts';

const columns: readonly TableColumn<Environment>[] = [
  {
    name: 'Name',
    cell: ({ project, name }) => <ChildLink project={project} collection="environments" name={name} />,
  },
  { name: 'Age', cell: (one) => <Age time={one.created_at} /> },
];

export function EnvironmentsTab({ project }: { readonly project: string }) {
  const navigate = useNavigate();
  const path = collectionPathOf(project, 'environments');
  return (
    <PagedTable
      path={path}
      label="Environments"
      what="list its environments"
      none="No environments yet"
      action={
        <CreateButton
          kind={environmentKind}
          path={path}
          onCreated={({ name }) =>
            void navigate({
              to: '/tenants/$project/$collection/$name',
              params: { project, collection: 'environments', name },
            })
          }
        />
      }
      keyOf={({ uid }) => uid}
      columns={columns}
    />
  );
}
