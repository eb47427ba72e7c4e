import { request } from '../api/http.ts';
import { resourcesPath } from '../api/resource.ts';
import type { FollowHandlers } from './follow.ts';
import { followWhileShown } from './shown.ts';

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
    const page = await request<{ metadata: { cursor: string } }>(somewhere, { signal });
    const expired = () => {
      isExpired = true;
    };
    const all: FollowHandlers = { ...handlers, moved: () => undefined, expired };
    await followWhileShown(path, page.metadata.cursor, all, signal);
  } while (isExpired && !signal.aborted);
}
