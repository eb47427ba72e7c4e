import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccess } from '../../api/access.ts';
import { request } from '../../api/http.ts';
import { type Kind, type KindRegistry, preferredVersion } from '../../api/kinds.ts';
import { type CollectionPlace, collectionPath, type Resource } from '../../api/resource.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

interface ListPage {
  readonly items: readonly Resource[];
  readonly metadata: { readonly continue?: string };
}

/** The resources that were removed from a collection, newest first, each with the way to restore it. */
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
  const list = useRemoved(place);
  const mayRestore = useAccess([{ verb: 'restore', path: collectionPath(place) }])('restore');
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
      {mayRestore === false ? (
        <p className="state hint">You may not restore {plural} here: that needs the verb restore.</p>
      ) : null}
      <ul className="rows">
        {items.map((resource) => (
          <RemovedRow
            key={resource.metadata.uid}
            place={place}
            resource={resource}
            onRestore={mayRestore === true ? () => setRestoring(resource) : null}
          />
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

function useRemoved(place: CollectionPlace) {
  const path = `${collectionPath(place)}?removed=true&limit=100`;
  return useInfiniteQuery({
    queryKey: ['removed', path],
    queryFn: ({ pageParam, signal }) => {
      const next = pageParam === '' ? '' : `&continue=${encodeURIComponent(pageParam)}`;
      return request<ListPage>(`${path}${next}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.metadata.continue,
    staleTime: 0,
  });
}

function RemovedRow({
  place: { group, version, plural },
  resource: { metadata, actor, removedAt },
  onRestore,
}: {
  readonly place: CollectionPlace;
  readonly resource: Resource;
  /** Null for those who may not, and until that is known. */
  readonly onRestore: (() => void) | null;
}) {
  const { uid, name, ancestors } = metadata;
  return (
    <li>
      <span className="grow">
        <Link
          to="/r/$group/$version/$plural/$"
          params={{ group, version, plural, _splat: `uid:${uid}` }}
          search={({ in: scope }) => ({ in: scope })}
        >
          {visibleText([...ancestors, name].join(' / '))}
        </Link>
        <div className="muted">
          by {actor?.id ?? 'unknown'}, <code>{uid}</code>
        </div>
      </span>
      {removedAt === undefined ? null : <Age time={removedAt} />}
      {onRestore === null ? null : (
        <button type="button" className="button" onClick={onRestore}>
          <Icon name="history" />
          Restore…
          <span className="visually-hidden"> {name}</span>
        </button>
      )}
    </li>
  );
}
