import type { Clock, Logger } from '@platform/kernel';
import type { RefusedRawToken } from '@platform/tokens';
import { LRUCache } from 'lru-cache';

/** How long an account that has a line gets no other one. */
const pauseMs = 600_000;

/** Names the service accounts whose raw tokens are refused, in one line for each of them in ten minutes: a caller may try again all the time. */
export function logRefusedRawTokens(
  logger: Pick<Logger, 'warn'>,
  clock: Pick<Clock, 'now'>,
): (event: RefusedRawToken) => void {
  const logged = new LRUCache<string, number>({ max: 1_000 });
  return ({ ...fields }) => {
    const last = logged.get(fields.account);
    // A clock that was set back must not silence an account.
    if (last !== undefined && Math.abs(clock.now() - last) < pauseMs) return;
    logged.set(fields.account, clock.now());
    logger.warn('the raw token of a service account was refused; exchange it first', fields);
  };
}
