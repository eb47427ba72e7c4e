import { isPassing, RequestError, request } from '../api/http.ts';
import { resourcesPath } from '../api/resource.ts';
import { untilLogin } from '../api/session.ts';
import { browserDeps } from './browser-deps.ts';
import type { FollowHandlers } from './follow.ts';
import { followWhileShown } from './follow-while-shown.ts';

/** A list, read for its cursor: any list tells where the log is now. Without a cursor a stream would begin with every resource. */
const anyList = `${resourcesPath}/platform.dev/v1alpha1/organizations?limit=1&view=metadata`;

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
      return (await request<{ metadata: { cursor: string } }>(anyList, { signal })).metadata.cursor;
    } catch (error) {
      if (signal.aborted || !(error instanceof RequestError)) throw error;
      if (error.status === 401) {
        await untilLogin(signal);
        continue;
      }
      if (!isPassing(error.status)) throw error;
      const waitMs = Math.max(retryMs, error.retryAfterMs);
      cut(waitMs);
      await browserDeps.sleep(waitMs, signal);
    }
  }
}
