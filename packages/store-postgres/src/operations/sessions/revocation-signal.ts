import type { DatabaseOptions } from '@platform/postgres';
import { type Listening, listen } from '../../listener.ts';

/** Notified on commit by the trigger of `session_revocations` (drizzle/, "wake_revocation_followers"). */
const channel = 'platform_sessions';

/** Calls `listener` after each commit that ended sessions, on whichever replica, and whenever some may have been missed. */
export function listenForRevocations(options: DatabaseOptions, listener: () => void): Listening {
  return listen(options, {
    name: channel,
    purpose: 'ended sessions',
    notified: listener,
    begun: listener,
  });
}
