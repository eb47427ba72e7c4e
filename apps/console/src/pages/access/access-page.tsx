import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/http.ts';
import { useKinds } from '../../api/queries.ts';
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
  const error = roles.error ?? bindings.error ?? kinds.error;
  return (
    <Page title="Access">
      {error !== null ? (
        <Failure error={error} what="list roles and bindings" />
      ) : roles.data === undefined || bindings.data === undefined || kinds.data === undefined ? (
        <Loading />
      ) : (
        <TabSet
          label="Access"
          tabs={[
            {
              id: 'bindings',
              label: 'Bindings',
              content: () => <Bindings bindings={bindings.data} roles={roles.data} registry={kinds.data} />,
            },
            {
              id: 'roles',
              label: 'Roles',
              content: () => <Roles roles={roles.data} registry={kinds.data} />,
            },
            { id: 'who', label: 'Who can', content: () => <AccessQuestions /> },
          ]}
        />
      )}
    </Page>
  );
}

function useList<T extends Resource>(plural: string) {
  return useQuery({
    queryKey: ['access', plural],
    queryFn: async ({ signal }) =>
      (await request<{ items: T[] }>(`${platform}/${plural}?limit=1000`, { signal })).items,
  });
}
