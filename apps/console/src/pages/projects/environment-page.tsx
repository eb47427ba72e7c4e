import type { Deployment, Environment } from '../../typed/kinds/environment.ts';
import { useFew } from '../../typed/use-item.ts';
import { DataTable } from '../../ui/paged-table.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { ChildFrame } from './child-frame.tsx';
import type { ChildPageProps } from './child-kind.ts';
import { ChildLink } from './child-link.tsx';
import { CredentialState } from './credential-state.tsx';
import { ItemFacts } from './item-facts.tsx';
import { collectionPathOf } from './paths.ts';

/** An environment with the deployments in it. */
export function EnvironmentPage(page: ChildPageProps<Environment>) {
  const { project, name } = page;
  const { data, error, refetch } = useFew<Deployment>(collectionPathOf(project, 'deployments'));
  const deployments = data?.items.filter(({ environment }) => environment === name);
  return (
    <ChildFrame {...page} blocker={blockerOf(deployments?.length)}>
      {(item) => (
        <div className="stack">
          <ItemFacts item={item} facts={[]} />
          {deployments !== undefined ? (
            <Deployments project={project} items={deployments} />
          ) : error === null ? (
            <Loading />
          ) : (
            <Failure error={error} what="list its deployments" retry={() => void refetch()} />
          )}
        </div>
      )}
    </ChildFrame>
  );
}

function Deployments({
  project,
  items,
}: {
  readonly project: string;
  readonly items: readonly Deployment[];
}) {
  return (
    <DataTable
      items={items}
      label="Deployments in this environment"
      none="No deployment runs in this environment"
      keyOf={({ uid }) => uid}
      columns={[
        {
          name: 'Deployment',
          cell: (one) => <ChildLink project={project} collection="deployments" name={one.name} />,
        },
        { name: 'Credential', cell: (one) => <CredentialState deployment={one} /> },
      ]}
    />
  );
}

/** `deployments` is how many run in the environment, undefined while that is not known. */
function blockerOf(deployments: number | undefined): string | undefined {
  if (deployments === undefined) return 'Whether deployments run in it is not known yet.';
  if (deployments === 0) return undefined;
  if (deployments === 1) return 'A deployment runs in it. Delete it first.';
  return `${deployments} deployments run in it. Delete them first.`;
}
