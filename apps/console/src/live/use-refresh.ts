import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { WatchChange } from '../api/resource.ts';
import { followFromNow } from './follow-from-now.ts';

/** Many changes at once are one reason to read again. */
const restMs = 1_000;

/**
 * Reads the queries of these names again when something changes at a path that has a watch. Both must keep their identity. Tells
 * whether the watch runs; without a path, it does not.
 */
export function useRefresh(
  path: string | null,
  names: readonly string[],
  concerns: (change: WatchChange) => boolean = () => true,
): boolean {
  const [isLive, setLive] = useState(false);
  const queries = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the test of changes is the same for as long as the path is
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    let due: ReturnType<typeof setTimeout> | null = null;
    const refresh = () => {
      due ??= setTimeout(() => {
        due = null;
        void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => names.includes(String(name)) });
      }, restMs);
    };
    const handlers = {
      // Something may have changed before the stream ran, or while it was cut.
      live: () => {
        setLive(true);
        refresh();
      },
      cut: () => setLive(false),
      refused: () => setLive(false),
      change: (change: WatchChange) => {
        if (concerns(change)) refresh();
      },
    };
    // Without a stream the page shows what it has read, and its own failure when it has read nothing.
    void followFromNow(path, handlers, stop.signal).catch(() => undefined);
    return () => {
      stop.abort();
      if (due !== null) clearTimeout(due);
    };
  }, [path, names, queries]);
  return isLive;
}

/** Whether a change is one of a deletion: its beginning, a step of it or its end. */
export function isDeletion({ type, object }: WatchChange): boolean {
  return type === 'DELETED' || object.metadata.deletionTimestamp !== undefined;
}
