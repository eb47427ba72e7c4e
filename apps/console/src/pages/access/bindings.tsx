import type { KindRegistry } from '../../api/kinds.ts';
import { useCaller } from '../../api/queries.ts';
import type { Identity, Resource } from '../../api/resource.ts';
import { DataTable, type TableColumn } from '../../ui/paged-table.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { NewLink } from './new-link.tsx';
import type { Role } from './roles.tsx';

export interface RoleBinding extends Resource {
  readonly spec: {
    readonly roleRef: { readonly name: string };
    readonly subjects: readonly { readonly kind: string; readonly name: string }[];
    readonly scope?: Pick<Identity, 'apiVersion' | 'kind' | 'name' | 'uid'>;
  } & Record<string, unknown>;
}

export function Bindings({
  bindings,
  roles,
  registry,
}: {
  readonly bindings: readonly RoleBinding[];
  readonly roles: readonly Role[];
  readonly registry: KindRegistry;
}) {
  const known = new Set(roles.map(({ metadata }) => metadata.name));
  const { data: caller } = useCaller();
  // Others may see a binding and not its role, so only operators are told that a role is missing.
  const isMissing = (role: string) => caller?.operator === true && !known.has(role);
  const columns: readonly TableColumn<RoleBinding>[] = [
    {
      name: 'Binding',
      cell: (binding) => (
        <ResourceName
          registry={registry}
          identity={{ ...binding, name: binding.metadata.name, uid: binding.metadata.uid }}
        />
      ),
    },
    {
      name: 'Role',
      cell: ({ spec }) => (
        <>
          {spec.roleRef.name}{' '}
          {isMissing(spec.roleRef.name) ? <StateBadge state="warning">no such role</StateBadge> : null}
        </>
      ),
    },
    {
      name: 'Subjects',
      cell: ({ spec }) =>
        spec.subjects.map(({ kind, name }) => (
          <div key={`${kind} ${name}`}>
            <span className="muted">{kind}</span> {name}
          </div>
        )),
    },
    {
      name: 'Scope',
      cell: ({ spec }) =>
        spec.scope == null ? 'everything' : <ResourceName registry={registry} identity={spec.scope} />,
    },
  ];
  return (
    <DataTable
      items={bindings}
      label="Bindings"
      none={caller?.operator ? 'No bindings yet' : 'No binding that you may see'}
      help="Without a binding, only operators and controllers see resources."
      action={<NewLink plural="rolebindings" noun="binding" />}
      keyOf={({ metadata }) => metadata.uid}
      columns={columns}
    />
  );
}
