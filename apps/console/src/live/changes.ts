import { RequestError, request } from '../api/http.ts';
import { resourcesPath } from '../api/resource.ts';
import type { FollowHandlers } from './follow.ts';
import { followWhileShown } from './shown.ts';
import { browserSurroundings } from './surroundings.ts';

/** Any list tells where the log is now; without a cursor a stream would begin with every resource. */
const somewhere = `${resourcesPath}/platform.dev/v1alpha1/organizations?limit=1&view=metadata`;

/** Follows what happens from now on, at a path that has a watch. */
export async function followFromNow(
  path: string,
  handlers: Omit<FollowHandlers, 'expired' | 'moved'>,
  signal: AbortSignal,
): Promise<void> {
  let isExpired: boolean;
  do {
    isExpired = false;
    const cursor = await cursorOfNow(handlers, signal);
    const expired = () => {
      isExpired = true;
    };
    const all: FollowHandlers = { ...handlers, moved: () => undefined, expired };
    await followWhileShown(path, cursor, all, signal);
  } while (isExpired && !signal.aborted);
}

const retryMs = 5_000;

/** Waits for the platform while it does not answer: a page that was opened meanwhile goes live, too. */
async function cursorOfNow({ cut }: Pick<FollowHandlers, 'cut'>, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      return (await request<{ metadata: { cursor: string } }>(somewhere, { signal })).metadata.cursor;
    } catch (error) {
      const isPassing = error instanceof RequestError && (error.status === 0 || error.status === 503);
      if (signal.aborted || !isPassing) throw error;
      cut(retryMs);
      await browserSurroundings.sleep(retryMs, signal);
    }
  }
}
