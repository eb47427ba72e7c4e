import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { request } from '../../api/http.ts';
import { type Kind, type KindRegistry, preferredVersion } from '../../api/kinds.ts';
import { type CollectionPlace, collectionPath, type Resource } from '../../api/resource.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

interface RemovedPageOfList {
  readonly items: readonly Resource[];
  readonly metadata: { readonly continue?: string };
}

export function RemovedList({
  kind,
  registry,
  ancestors,
}: {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  readonly ancestors: readonly string[];
}) {
  const [restoring, setRestoring] = useState<Resource | null>(null);
  const { group, plural } = kind;
  const place: CollectionPlace = { group, plural, version: preferredVersion(kind), ancestors };
  const path = `${collectionPath(place)}?removed=true&limit=100`;
  const list = useInfiniteQuery({
    queryKey: ['removed', path],
    queryFn: ({ pageParam, signal }) =>
      request<RemovedPageOfList>(
        `${path}${pageParam === '' ? '' : `&continue=${encodeURIComponent(pageParam)}`}`,
        {
          signal,
        },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.metadata.continue,
    staleTime: 0,
  });
  if (list.error !== null) {
    return (
      <Failure error={list.error} what={`list removed ${plural} here`} retry={() => void list.refetch()} />
    );
  }
  if (list.data === undefined) return <Loading />;
  const items = list.data.pages.flatMap((page) => page.items);
  if (items.length === 0) return <Empty title={`No ${plural} were removed here within the retention`} />;
  return (
    <div className="card">
      <ul className="rows">
        {items.map((resource) => (
          <li key={resource.metadata.uid}>
            <span className="grow">
              <Link
                to="/r/$group/$version/$plural/$"
                params={{ group, version: place.version, plural, _splat: `uid:${resource.metadata.uid}` }}
                search={({ in: scope }) => ({ in: scope })}
              >
                {visibleText([...resource.metadata.ancestors, resource.metadata.name].join(' / '))}
              </Link>
              <div className="muted">
                by {resource.actor?.id ?? 'unknown'}, <code>{resource.metadata.uid}</code>
              </div>
            </span>
            {resource.removedAt === undefined ? null : <Age time={resource.removedAt} />}
            <button type="button" className="button" onClick={() => setRestoring(resource)}>
              <Icon name="history" />
              Restore…
              <span className="visually-hidden"> {resource.metadata.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {list.hasNextPage ? (
        <p className="state">
          <button type="button" className="button" onClick={() => void list.fetchNextPage()}>
            Show older removals
          </button>
        </p>
      ) : null}
      {restoring === null ? null : (
        <RestoreDialog
          place={place}
          registry={registry}
          resource={restoring}
          onClose={() => {
            setRestoring(null);
            void list.refetch();
          }}
        />
      )}
    </div>
  );
}
