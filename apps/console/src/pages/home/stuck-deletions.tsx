import { useQuery } from '@tanstack/react-query';
import { failureOf, request } from '../../api/http.ts';
import type { KindRegistry } from '../../api/kinds.ts';
import { useKinds } from '../../api/queries.ts';
import {
  type Explanation,
  itemPath,
  type PendingDeletionList,
  type Resource,
  resourcesPath,
  splitApiVersion,
} from '../../api/resource.ts';
import { isDeletion, useRefresh } from '../../live/use-refresh.ts';
import { exactTime } from '../../logic/age.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Card } from '../../ui/card.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { Lasting, useNow } from '../../ui/time.tsx';

/** A deletion that takes longer waits for somebody. */
const stuckMs = 5 * 60_000;
const refreshed = ['pending-deletion', 'explain'];
const path = `${resourcesPath}/pending-deletion?limit=100`;

/** Deletions that wait, the longest first, with the first cause of each. */
export function StuckDeletions() {
  const { data: registry } = useKinds();
  const pending = useQuery({
    queryKey: ['pending-deletion'],
    queryFn: ({ signal }) => request<PendingDeletionList>(path, { signal }),
  });
  useRefresh('/api/v1/changes?view=metadata', refreshed, isDeletion);
  const items = pending.data?.items ?? [];
  const now = useNow();
  const error = failureOf(pending);
  const stuck = items.filter(({ metadata }) => now - Date.parse(metadata.deletionTimestamp ?? '') > stuckMs);
  const shown = stuck.length > 0 ? stuck : items;
  return (
    <Card title={titleOf(stuck.length)} flush>
      {error !== null ? (
        <Failure error={error} what="list pending deletions" retry={() => void pending.refetch()} />
      ) : null}
      {pending.isPending ? <Loading /> : null}
      {pending.isSuccess && shown.length === 0 ? (
        <p className="state muted">
          Nothing needs attention. Checked {exactTime(new Date(pending.dataUpdatedAt).toISOString())}.
        </p>
      ) : null}
      <ul className="rows">
        {registry === undefined
          ? null
          : shown
              .slice(0, 8)
              .map((resource) => (
                <Deletion key={resource.metadata.uid} registry={registry} resource={resource} />
              ))}
      </ul>
    </Card>
  );
}

function titleOf(stuck: number): string {
  if (stuck === 0) return 'Deletions';
  return stuck === 1 ? 'One deletion is stuck' : `${stuck} deletions are stuck`;
}

function Deletion({ registry, resource }: { readonly registry: KindRegistry; readonly resource: Resource }) {
  const { apiVersion, kind, metadata } = resource;
  const { uid, deletionTimestamp = '' } = metadata;
  const plural = registry.byKind(apiVersion, kind)?.plural;
  const place = {
    ...splitApiVersion(apiVersion),
    plural: plural ?? kind.toLowerCase(),
    names: [`uid:${uid}`],
  };
  const explain = `${itemPath(place)}/explain`;
  const explanation = useQuery({
    queryKey: ['explain', explain],
    queryFn: ({ signal }) => request<Explanation>(explain, { signal }),
    enabled: plural !== undefined,
  });
  const data = explanation.data;
  const first = data !== undefined && 'causes' in data ? data.causes[0] : undefined;
  return (
    <li>
      <span className="grow">
        <ResourceName
          registry={registry}
          identity={{ apiVersion, kind, name: metadata.name, uid }}
          tab="explain"
        />
        {first === undefined ? null : <div className="muted">{visibleText(first.detail)}</div>}
      </span>
      <span className="muted">
        <Lasting since={deletionTimestamp} />
      </span>
    </li>
  );
}
