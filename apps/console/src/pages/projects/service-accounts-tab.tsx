import { useNavigate } from '@tanstack/react-router';
import { type ServiceAccount, serviceAccountKind } from '../../typed/kinds/service-account.ts';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Age } from '../../ui/time.tsx';
import { CreateButton } from '../tenants/create-button.tsx';
import { ChildLink } from './child-link.tsx';
import { collectionPathOf } from './collections.ts';

const columns: readonly TableColumn<ServiceAccount>[] = [
  {
    name: 'Name',
    cell: ({ project, name }) => <ChildLink project={project} collection="service-accounts" name={name} />,
  },
  { name: 'E-mail', cell: ({ email }) => <code>{email}</code> },
  { name: 'Issuer', cell: (one) => <code>{one.issuer_url}</code> },
  { name: 'Claims', cell: ({ claims }) => <Claims claims={claims} /> },
  { name: 'Age', cell: (one) => <Age time={one.created_at} /> },
];

/** The patterns that a token must match. */
export function Claims({ claims }: Pick<ServiceAccount, 'claims'>) {
  return (
    <span className="chips">
      {Object.entries(claims).map(([name, value]) => (
        <span key={name} className="chip" title={`${name}=${value}`}>
          {name}={value}
        </span>
      ))}
    </span>
  );
}

export function ServiceAccountsTab({ project }: { readonly project: string }) {
  const navigate = useNavigate();
  const path = collectionPathOf(project, 'service-accounts');
  return (
    <PagedTable
      path={path}
      label="Service accounts"
      what="list its service accounts"
      none="No service accounts yet"
      action={
        <CreateButton
          kind={serviceAccountKind}
          path={path}
          onCreated={({ name }) =>
            void navigate({
              to: '/tenants/$project/$collection/$name',
              params: { project, collection: 'service-accounts', name },
            })
          }
        />
      }
      keyOf={({ uid }) => uid}
      columns={columns}
    />
  );
}
