import { useEffect, useState } from 'react';
import type { WatchChange } from '../../api/resource.ts';
import { followFromNow } from '../../live/changes.ts';

type Connection = 'connecting' | 'live' | 'cut';

/** The newest changes that the page keeps. */
const most = 12;

/** The changes of every kind since the page was opened, newest first. */
export function useChanges(): { readonly changes: readonly WatchChange[]; readonly connection: Connection } {
  const [changes, setChanges] = useState<readonly WatchChange[]>([]);
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    const stop = new AbortController();
    const handlers = {
      live: () => setConnection('live'),
      cut: () => setConnection('cut'),
      change: (event: WatchChange) => setChanges((before) => [event, ...before].slice(0, most)),
      refused: () => setConnection('cut'),
    };
    void followFromNow('/api/v1/changes?view=metadata', handlers, stop.signal).catch(() =>
      setConnection('cut'),
    );
    return () => stop.abort();
  }, []);
  return { changes, connection };
}
