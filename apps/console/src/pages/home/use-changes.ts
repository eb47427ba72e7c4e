import { useEffect, useState } from 'react';
import { request } from '../../api/http.ts';
import { resourcesPath, type WatchChange } from '../../api/resource.ts';
import { follow } from '../../live/follow.ts';
import { browserSurroundings } from '../../live/surroundings.ts';

/** The newest changes that the page keeps. */
const most = 12;

/** Any list tells where the log is now; without a cursor a stream would begin with every resource. */
const somewhere = `${resourcesPath}/platform.dev/v1alpha1/organizations?limit=1&view=metadata`;

/** The changes of every kind since the page was opened, newest first. */
export function useChanges(): { readonly changes: readonly WatchChange[]; readonly isLive: boolean } {
  const [changes, setChanges] = useState<readonly WatchChange[]>([]);
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const handlers = {
      live: () => setLive(true),
      cut: () => setLive(false),
      moved: () => undefined,
      change: (event: WatchChange) => setChanges((before) => [event, ...before].slice(0, most)),
      expired: () => void start(),
      refused: () => setLive(false),
    };
    const start = async () => {
      const page = await request<{ metadata: { cursor: string } }>(somewhere, { signal: stop.signal });
      await follow(
        '/api/v1/changes?view=metadata',
        page.metadata.cursor,
        handlers,
        browserSurroundings,
        stop.signal,
      );
    };
    void start().catch(() => setLive(false));
    return () => stop.abort();
  }, []);
  return { changes, isLive };
}
