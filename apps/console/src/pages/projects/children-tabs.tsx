import type { components } from 'platform-service-client/api-types';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Age, ExactTime } from '../../ui/time.tsx';

type Schemas = components['schemas'];

const environments: readonly TableColumn<Schemas['Environment']>[] = [
  { name: 'Name', cell: ({ name }) => name },
  { name: 'Age', cell: (one) => <Age time={one.created_at} /> },
];

export function EnvironmentsTab({ path }: { readonly path: string }) {
  return (
    <PagedTable
      path={`${path}/environments`}
      what="list its environments"
      none="No environments yet"
      keyOf={({ uid }) => uid}
      columns={environments}
    />
  );
}

const deployments: readonly TableColumn<Schemas['Deployment']>[] = [
  { name: 'Name', cell: ({ name }) => name },
  { name: 'Environment', cell: ({ environment }) => environment },
  {
    name: 'Credential expires',
    cell: (one) => (one.expires_at === null ? 'never: rotate it' : <ExactTime time={one.expires_at} />),
  },
  {
    name: 'Last used',
    cell: (one) => (one.last_used_at === null ? 'never' : <Age time={one.last_used_at} />),
  },
  { name: 'Created by', cell: (one) => one.created_by ?? 'unknown' },
];

export function DeploymentsTab({ path }: { readonly path: string }) {
  return (
    <PagedTable
      path={`${path}/deployments`}
      what="list its deployments"
      none="No deployments yet"
      keyOf={({ uid }) => uid}
      columns={deployments}
    />
  );
}

const accounts: readonly TableColumn<Schemas['ServiceAccount']>[] = [
  { name: 'E-mail', cell: ({ email }) => email },
  { name: 'Issuer', cell: (one) => <code>{one.issuer_url}</code> },
  {
    name: 'Claims',
    cell: ({ claims }) => (
      <span className="chips">
        {Object.entries(claims).map(([name, value]) => (
          <span key={name} className="chip">
            {name}={value}
          </span>
        ))}
      </span>
    ),
  },
  { name: 'Age', cell: (one) => <Age time={one.created_at} /> },
];

export function ServiceAccountsTab({ path }: { readonly path: string }) {
  return (
    <PagedTable
      path={`${path}/service-accounts`}
      what="list its service accounts"
      none="No service accounts yet"
      keyOf={({ uid }) => uid}
      columns={accounts}
    />
  );
}
