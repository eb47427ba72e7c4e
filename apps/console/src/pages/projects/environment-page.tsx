import { type Deployment, type Environment, environmentKind } from '../../typed/kinds/environment.ts';
import { useFew } from '../../typed/use-item.ts';
import { DataTable } from '../../ui/paged-table.tsx';
import { ChildActions } from './child-actions.tsx';
import { ChildFrame, type ChildProps } from './child-frame.tsx';
import { ChildLink } from './child-link.tsx';
import { collectionPathOf } from './collections.ts';
import { CredentialState } from './credential-state.tsx';
import { ItemFacts } from './item-facts.tsx';

/** An environment with the deployments in it. */
export function EnvironmentPage({ project, name }: ChildProps) {
  const list = useFew<Deployment>(collectionPathOf(project, 'deployments'));
  const deployments = list.data?.items.filter(({ environment }) => environment === name) ?? [];
  return (
    <ChildFrame<Environment>
      project={project}
      name={name}
      collection="environments"
      actions={(item) => (
        <ChildActions
          kind={environmentKind}
          project={project}
          item={item}
          collection="environments"
          isBlocked={deployments.length > 0}
          warning={
            deployments.length > 0 ? (
              <p className="banner">
                {deployments.length === 1 ? 'A deployment runs' : `${deployments.length} deployments run`} in
                it. Delete them first.
              </p>
            ) : (
              <p>No deployment runs in it.</p>
            )
          }
        />
      )}
    >
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
