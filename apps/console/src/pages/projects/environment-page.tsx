import type { Deployment, Environment } from '../../typed/kinds/environment.ts';
import { useFew } from '../../typed/use-item.ts';
import { DataTable } from '../../ui/paged-table.tsx';
import { ChildFrame } from './child-frame.tsx';
import type { ChildPageProps } from './child-kind.ts';
import { ChildLink } from './child-link.tsx';
import { CredentialState } from './credential-state.tsx';
import { ItemFacts } from './item-facts.tsx';
import { collectionPathOf } from './paths.ts';

/** An environment with the deployments in it. */
export function EnvironmentPage(page: ChildPageProps<Environment>) {
  const { project, name } = page;
  const list = useFew<Deployment>(collectionPathOf(project, 'deployments'));
  const deployments = list.data?.items.filter(({ environment }) => environment === name) ?? [];
  return (
    <ChildFrame {...page} blocker={blockerOf(deployments.length)}>
      {(item) => (
        <div className="stack">
          <ItemFacts item={item} facts={[]} />
          <DataTable
            items={deployments}
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
        </div>
      )}
    </ChildFrame>
  );
}

function blockerOf(deployments: number): string | undefined {
  if (deployments === 0) return undefined;
  return `${deployments === 1 ? 'A deployment runs' : `${deployments} deployments run`} in it. Delete them first.`;
}
