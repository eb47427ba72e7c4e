import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { RequestError, request, send } from '../api/http.ts';
import { type History, type ItemPlace, itemPath, type Resource } from '../api/resource.ts';
import { followWhileShown } from './follow-while-shown.ts';

/** A resource with the point of the change log where it was read. */
interface Read {
  readonly resource: Resource;
  readonly cursor: string | null;
  /** Whether it is gone, and this is its last state. */
  readonly isRemoved?: boolean;
}

export interface LiveResource {
  readonly resource: Resource | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  /** It was removed; `resource` is its last state. */
  readonly isRemoved: boolean;
  /** It was gone already when the page was opened. */
  readonly isFormer: boolean;
  readonly connection: 'loading' | 'live' | 'cut' | 'not-live';
}

/** One resource, kept up to date. */
export function useLiveResource(place: ItemPlace): LiveResource {
  const path = itemPath(place);
  const queries = useQueryClient();
  const [connection, setConnection] = useState<LiveResource['connection']>('loading');
  const [removed, setRemoved] = useState<Resource | null>(null);
  const [wasThere, setWasThere] = useState(false);
  const read = useQuery({
    queryKey: ['resource', path],
    queryFn: async ({ signal }): Promise<Read> => {
      try {
        const response = await send(path, { signal });
        return { resource: (await response.json()) as Resource, cursor: response.headers.get('X-Cursor') };
      } catch (error) {
        // Who may see a part of the resources is refused where nothing is any more: it is not known to be in that part.
        const mayBeGone = error instanceof RequestError && [403, 404].includes(error.status);
        const last = mayBeGone && place.names[0]?.startsWith('uid:') ? await lastState(path, signal) : null;
        if (last === null) throw error;
        return last;
      }
    },
    staleTime: 0,
    gcTime: 0,
  });
  const { data, error, refetch } = read;
  const cursor = data?.cursor ?? null;
  // While React renders, so that no page is shown as that of a former resource in between.
  if (data !== undefined && data.isRemoved !== true && !wasThere) setWasThere(true);
  useEffect(() => {
    if (cursor === null) return;
    // It was read again, and is there: what a stream said before is about the one that had its name.
    setRemoved(null);
    const stop = new AbortController();
    let wasLive = false;
    const put = (resource: Resource) => queries.setQueryData<Read>(['resource', path], { resource, cursor });
    const handlers = {
      live: () => {
        wasLive = true;
        setConnection('live');
      },
      cut: () => setConnection('cut'),
      moved: () => undefined,
      change: ({ type, object }: { readonly type: string; readonly object: Resource }) => {
        setRemoved(type === 'DELETED' ? object : null);
        put(object);
      },
      expired: () => void refetch(),
      refused: (status: number) => {
        setConnection('not-live');
        // Without the verb watch the page shows what it has read. A stream that ran and is refused now says that access is lost: the
        // question is asked again, and its refusal takes the place of the content.
        if (status === 403 && wasLive) void queries.resetQueries({ queryKey: ['resource', path] });
      },
    };
    void followWhileShown(path, cursor, handlers, stop.signal);
    return () => stop.abort();
  }, [path, cursor, queries, refetch]);
  // The resource was shown before and is refused now, so it disappears. The end of a session takes nothing away: somebody may be typing.
  const isLost = error instanceof RequestError && error.status === 403;
  // Without a stream, only reading it again says that it is gone.
  const isGone = error instanceof RequestError && error.status === 404;
  return {
    resource: isLost ? undefined : (removed ?? data?.resource),
    error,
    retry: () => void refetch(),
    isRemoved: removed !== null || data?.isRemoved === true || isGone,
    isFormer: data?.isRemoved === true && !wasThere,
    connection,
  };
}

/** The last state of a removed resource, as far as the change log reaches back: a link by uid leads to it. */
async function lastState(path: string, signal: AbortSignal): Promise<Read | null> {
  try {
    const { items } = await request<History>(`${path}/history?limit=1`, { signal });
    const [newest] = items;
    if (newest === undefined) return null;
    const resource = await request<Resource>(`${path}/history/${newest.revision}`, { signal });
    return { resource, cursor: null, isRemoved: true };
  } catch (error) {
    if (error instanceof RequestError && [403, 404].includes(error.status)) return null;
    throw error;
  }
}
