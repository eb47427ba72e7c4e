import { isPassing, RequestError, request } from '../api/http.ts';
import { resourcesPath } from '../api/resource.ts';
import { untilLogin } from '../api/session.ts';
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

/** Waits while the platform does not answer or nobody is logged in: a page that was opened meanwhile goes live, too. */
async function cursorOfNow({ cut }: Pick<FollowHandlers, 'cut'>, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      return (await request<{ metadata: { cursor: string } }>(somewhere, { signal })).metadata.cursor;
    } catch (error) {
      if (signal.aborted || !(error instanceof RequestError)) throw error;
      if (error.status === 401) {
        await untilLogin(signal);
        continue;
      }
      if (!isPassing(error.status)) throw error;
      const waitMs = Math.max(retryMs, error.retryAfterMs);
      cut(waitMs);
      await browserSurroundings.sleep(waitMs, signal);
    }
  }
}
