import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { request } from '../../api/http.ts';
import { useCaller } from '../../api/queries.ts';
import type { Resource } from '../../api/resource.ts';
import { stateOf } from '../../logic/state.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { organizationKind, organizationsPath } from '../../typed/kinds/organization.ts';
import { DataTable, type TableColumn } from '../../ui/paged-table.tsx';
import { ReportedState } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import { CreateButton } from './create-button.tsx';

interface ResourcePage {
  readonly items: readonly Resource[];
  readonly metadata: { readonly continue?: string };
}

const columns: readonly TableColumn<Resource>[] = [
  {
    name: 'Name',
    cell: ({ metadata }) => (
      <Link to="/tenants/organizations/$organization" params={{ organization: metadata.name }}>
        {visibleText(metadata.name)}
      </Link>
    ),
  },
  { name: 'Display name', cell: ({ spec }) => textOf(spec?.['displayName']) },
  { name: 'Description', cell: ({ spec }) => textOf(spec?.['description']) },
  { name: 'State', cell: (resource) => <ReportedState state={stateOf(resource)} /> },
  { name: 'Age', cell: ({ metadata }) => <Age time={metadata.creationTimestamp} /> },
];

function textOf(value: unknown): string {
  return typeof value === 'string' ? visibleText(value) : '';
}

/** The organizations that the caller may see, with the way to a new one for operators. */
export function OrganizationsTab() {
  const { data: caller } = useCaller();
  const navigate = useNavigate();
  const list = useInfiniteQuery({
    queryKey: ['organizations', 'pages'],
    queryFn: ({ pageParam, signal }) =>
      request<ResourcePage>(`${organizationsPath}?limit=100${pageParam}`, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ metadata }) =>
      metadata.continue === undefined ? undefined : `&continue=${encodeURIComponent(metadata.continue)}`,
  });
  if (list.error !== null) {
    return <Failure error={list.error} what="list organizations" retry={() => void list.refetch()} />;
  }
  if (list.data === undefined) return <Loading />;
  return (
    <DataTable
      items={list.data.pages.flatMap(({ items }) => items)}
      more={list.hasNextPage ? () => void list.fetchNextPage() : null}
      label="Organizations"
      none="No organizations yet"
      action={
        caller?.operator ? (
          <CreateButton
            kind={organizationKind}
            path={organizationsPath}
            onCreated={({ metadata }) =>
              void navigate({
                to: '/tenants/organizations/$organization',
                params: { organization: metadata.name },
              })
            }
          />
        ) : null
      }
      keyOf={({ metadata }) => metadata.uid}
      columns={columns}
    />
  );
}
