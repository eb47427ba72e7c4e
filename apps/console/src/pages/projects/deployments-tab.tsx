import { useMemo, useState } from 'react';
import { type Deployment, deploymentKind, type Environment } from '../../typed/kinds/environment.ts';
import { SecretDialog } from '../../typed/secret-dialog.tsx';
import { useFew } from '../../typed/use-item.ts';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Age } from '../../ui/time.tsx';
import { CreateButton } from '../tenants/create-button.tsx';
import { ChildLink } from './child-link.tsx';
import { collectionPathOf } from './collections.ts';
import { CredentialState } from './credential-state.tsx';

const columns: readonly TableColumn<Deployment>[] = [
  {
    name: 'Name',
    cell: ({ project, name }) => <ChildLink project={project} collection="deployments" name={name} />,
  },
  { name: 'Environment', cell: ({ environment }) => environment },
  { name: 'Credential', cell: (deployment) => <CredentialState deployment={deployment} /> },
  {
    name: 'Last used',
    cell: (one) => (one.last_used_at === null ? 'never' : <Age time={one.last_used_at} />),
  },
  { name: 'Created by', cell: (one) => one.created_by ?? 'unknown' },
];

export function DeploymentsTab({ project }: { readonly project: string }) {
  const [created, setCreated] = useState<Deployment | null>(null);
  const environments = useFew<Environment>(collectionPathOf(project, 'environments'));
  const names = environments.data?.items.map(({ name }) => name);
  const kind = useMemo(() => deploymentKind(names ?? []), [names]);
  const path = collectionPathOf(project, 'deployments');
  return (
    <>
      <PagedTable
        path={path}
        label="Deployments"
        what="list its deployments"
        none="No deployments yet"
        action={names === undefined ? null : <CreateButton kind={kind} path={path} onCreated={setCreated} />}
        keyOf={({ uid }) => uid}
        columns={columns}
      />
      {created?.bootstrap_credential === undefined ? null : (
        <SecretDialog
          title="Bootstrap credential"
          secret={created.bootstrap_credential}
          onClose={() => setCreated(null)}
        >
          <p>
            The deployment in {created.environment} exchanges it for workload tokens. When it is lost, rotate
            it.
          </p>
        </SecretDialog>
      )}
    </>
  );
}
