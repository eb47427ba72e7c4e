import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureOf, request } from '../../api/http.ts';
import type { KindRegistry } from '../../api/kinds.ts';
import { type Shown, useKinds } from '../../api/queries.ts';
import { type Resource, resourcesPath } from '../../api/resource.ts';
import { Page } from '../../ui/page.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { TabSet } from '../../ui/tab-set.tsx';
import { AccessQuestions } from './access-questions.tsx';
import { Bindings, type RoleBinding } from './bindings.tsx';
import { type Role, Roles } from './roles.tsx';

const platform = `${resourcesPath}/platform.dev/v1alpha1`;

/** Who may do what: the roles as a grid of verbs, and whom they are bound to, in which scope. */
export function AccessPage() {
  const kinds = useKinds();
  const roles = useList<Role>('roles');
  const bindings = useList<RoleBinding>('rolebindings');
  return (
    <Page title="Access">
      <TabSet
        label="Access"
        tabs={[
          {
            id: 'bindings',
            label: 'Bindings',
            content: () => (
              <Listed roles={roles} bindings={bindings} kinds={kinds}>
                {(lists) => <Bindings {...lists} />}
              </Listed>
            ),
          },
          {
            id: 'roles',
            label: 'Roles',
            content: () => (
              <Listed roles={roles} bindings={bindings} kinds={kinds}>
                {(lists) => <Roles {...lists} />}
              </Listed>
            ),
          },
          { id: 'who', label: 'Who can', content: () => <AccessQuestions /> },
        ]}
      />
    </Page>
  );
}

/** The tabs that need the lists. Everybody may ask about their own access, so the tab of questions needs none. */
function Listed({
  roles,
  bindings,
  kinds,
  children,
}: {
  readonly roles: Shown<readonly Role[]>;
  readonly bindings: Shown<readonly RoleBinding[]>;
  readonly kinds: Shown<KindRegistry>;
  readonly children: (lists: {
    readonly roles: readonly Role[];
    readonly bindings: readonly RoleBinding[];
    readonly registry: KindRegistry;
  }) => ReactNode;
}) {
  const refused = [roles, bindings, kinds].find(({ error }) => error !== null);
  if (refused !== undefined) {
    return (
      <Failure error={refused.error} what="list roles and bindings" retry={() => void refused.refetch()} />
    );
  }
  if (roles.data === undefined || bindings.data === undefined || kinds.data === undefined) return <Loading />;
  return children({ roles: roles.data, bindings: bindings.data, registry: kinds.data });
}

function useList<T extends Resource>(plural: string): Shown<readonly T[]> {
  const list = useQuery({
    queryKey: ['access', plural],
    queryFn: async ({ signal }) =>
      (await request<{ items: T[] }>(`${platform}/${plural}?limit=1000`, { signal })).items,
  });
  return { data: list.data, error: failureOf(list), refetch: list.refetch };
}
