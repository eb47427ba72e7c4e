import { Link } from '@tanstack/react-router';
import type { KindRegistry } from '../../api/kinds.ts';
import type { Identity, Resource } from '../../api/resource.ts';
import { Icon } from '../../ui/icon.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Empty } from '../../ui/states.tsx';
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
  if (bindings.length === 0) {
    return <Empty title="No bindings: only operators and controllers have access">{create}</Empty>;
  }
  return (
    <div className="stack">
      <div>{create}</div>
      <div className="card table-box">
        <table className="table">
          <thead>
            <tr>
              <th>Binding</th>
              <th>Role</th>
              <th>Subjects</th>
              <th>Scope</th>
            </tr>
          </thead>
          <tbody>
            {bindings.map((binding) => (
              <tr key={binding.metadata.uid}>
                <td>
                  <ResourceName
                    registry={registry}
                    identity={{ ...binding, name: binding.metadata.name, uid: binding.metadata.uid }}
                  />
                </td>
                <td>
                  {binding.spec.roleRef.name}{' '}
                  {known.has(binding.spec.roleRef.name) ? null : (
                    <StateBadge state="warning">no such role</StateBadge>
                  )}
                </td>
                <td>
                  {binding.spec.subjects.map(({ kind, name }) => (
                    <div key={`${kind} ${name}`}>
                      <span className="muted">{kind}</span> {name}
                    </div>
                  ))}
                </td>
                <td>
                  {binding.spec.scope === undefined ? (
                    'everything'
                  ) : (
                    <ResourceName registry={registry} identity={binding.spec.scope} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
