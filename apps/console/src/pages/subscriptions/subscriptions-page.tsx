import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAccess } from '../../api/access.ts';
import { request } from '../../api/http.ts';
import { resourcesPath } from '../../api/resource.ts';
import { useRefresh } from '../../live/use-refresh.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { DataTable, type TableColumn } from '../../ui/paged-table.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import { deliveryOf, type Subscription, selectionOf } from './delivery.ts';
import { SwitchDelivery } from './switch-delivery.tsx';

const place = { group: 'platform.dev', version: 'v1alpha1', plural: 'subscriptions' };
const path = `${resourcesPath}/platform.dev/v1alpha1/subscriptions`;
/** More are in the table of the kind. */
const most = 1000;
const refreshed = ['subscriptions'];

/** Who gets changes delivered, whether they arrive, and the way to go on after a pause. */
export function SubscriptionsPage() {
  const list = useQuery({
    queryKey: ['subscriptions'],
    queryFn: ({ signal }) =>
      request<{ items: Subscription[] }>(`${path}?limit=${most}`, { signal }).then(({ items }) => items),
  });
  useRefresh(`${path}?view=metadata`, refreshed);
  const may = useAccess([
    { verb: 'create', path },
    { verb: 'patch', path: `${path}/any` },
  ]);
  const columns: readonly TableColumn<Subscription>[] = [
    {
      name: 'Name',
      cell: ({ metadata }) => (
        <Link to="/r/$group/$version/$plural/$" params={{ ...place, _splat: metadata.name }}>
          {visibleText(metadata.name)}
        </Link>
      ),
    },
    { name: 'Receiver', cell: ({ spec }) => <code>{spec.url}</code> },
    { name: 'Gets', cell: selectionOf },
    { name: 'State', cell: (one) => <DeliveryState subscription={one} /> },
    { name: 'Age', cell: ({ metadata }) => <Age time={metadata.creationTimestamp} /> },
    {
      name: 'Action',
      cell: (one) => <SwitchDelivery subscription={one} path={path} mayPatch={may('patch')} />,
    },
  ];
  const create =
    may('create') === false ? null : (
      <Link
        className="button"
        to="/new/$group/$version/$plural/$"
        params={{ ...place, _splat: '' }}
        search={{ as: 'form' }}
      >
        <Icon name="plus" />
        New subscription
      </Link>
    );
  return (
    <Page title="Subscriptions" actions={create}>
      {list.error !== null && list.data === undefined ? (
        <Failure error={list.error} what="list subscriptions" retry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Loading />
      ) : (
        <DataTable
          items={list.data}
          label="Subscriptions"
          none="No subscriptions yet"
          help="A subscription delivers changes of resources to a URL, signed and in order."
          keyOf={({ metadata }) => metadata.uid}
          columns={columns}
        />
      )}
    </Page>
  );
}

function DeliveryState({ subscription }: { readonly subscription: Subscription }) {
  const { state, word, message } = deliveryOf(subscription);
  return (
    <div>
      <StateBadge state={state}>{word}</StateBadge>
      {message === null ? null : <div className="muted">{visibleText(message)}</div>}
    </div>
  );
}
