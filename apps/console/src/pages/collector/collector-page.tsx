import { useQuery } from '@tanstack/react-query';
import { failureOf, request } from '../../api/http.ts';
import { useKinds } from '../../api/queries.ts';
import { type PendingDeletionList, resourcesPath } from '../../api/resource.ts';
import { isDeletion, useRefresh } from '../../live/use-refresh.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';

/** More wait only when something is wrong with the collector itself. */
const most = 1_000;
const refreshed = ['pending-deletion'];

/** The queue of the collector: every resource that is being deleted, oldest first. */
export function CollectorPage() {
  const kinds = useKinds();
  const pending = useQuery({
    queryKey: ['pending-deletion', most],
    queryFn: ({ signal }) =>
      request<PendingDeletionList>(`${resourcesPath}/pending-deletion?limit=${most}`, { signal }),
  });
  useRefresh('/api/v1/changes?view=metadata', refreshed, isDeletion);
  const error = failureOf(pending) ?? kinds.error;
  const registry = kinds.data;
  const items = pending.data?.items;
  const oldest = items?.[0]?.metadata.deletionTimestamp;
  return (
    <Page title="Collector">
      {error !== null ? (
        <Failure error={error} what="list pending deletions" />
      ) : items === undefined || registry === undefined ? (
        <Loading />
      ) : items.length === 0 ? (
        <Empty title="The collector has nothing to do">
          <p className="muted">Deletions that wait for their dependents or finalizers appear here.</p>
        </Empty>
      ) : (
        <div className="stack">
          <dl className="facts">
            <dt>Waiting</dt>
            <dd>{items.length === most ? `${most} or more` : items.length}</dd>
            <dt>Oldest</dt>
            <dd>{oldest === undefined ? 'unknown' : <Age time={oldest} />}</dd>
          </dl>
          <Card title="Being deleted" flush>
            <ul className="rows">
              {items.map((resource) => (
                <li key={resource.metadata.uid}>
                  <span className="grow">
                    <ResourceName
                      registry={registry}
                      identity={{ ...resource, name: resource.metadata.name, uid: resource.metadata.uid }}
                      tab="explain"
                    />
                  </span>
                  <span className="chips">
                    {resource.metadata.finalizers.map((name) => (
                      <span key={name} className="chip">
                        {name}
                      </span>
                    ))}
                  </span>
                  <Age time={resource.metadata.deletionTimestamp ?? ''} />
                </li>
              ))}
            </ul>
          </Card>
        </div>
      )}
    </Page>
  );
}
