import { Link } from '@tanstack/react-router';
import type { KindRegistry } from '../../api/kinds.ts';
import type { Identity, Resource } from '../../api/resource.ts';
import { Icon } from '../../ui/icon.tsx';
import { DataTable, type TableColumn } from '../../ui/paged-table.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
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
  const create = (
    <Link
      className="button"
      to="/new/$group/$version/$plural/$"
      params={{ group: 'platform.dev', version: 'v1alpha1', plural: 'rolebindings', _splat: '' }}
      search={{ as: 'form' }}
    >
      <Icon name="plus" />
      New binding
    </Link>
  );
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
          {known.has(spec.roleRef.name) ? null : <StateBadge state="warning">no such role</StateBadge>}
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
      none="No bindings yet"
      help="Without a binding, only operators and controllers see resources."
      action={create}
      keyOf={({ metadata }) => metadata.uid}
      columns={columns}
    />
  );
}
