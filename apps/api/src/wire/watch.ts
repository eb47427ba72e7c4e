import type { AccessRulesCache } from '@platform/access';
import { stateReader, Watches } from '@platform/change-log';
import type { Principal, UserPrincipal } from '@platform/tokens';
import type { AccountDeps } from '../http/require-account.ts';
import type { RevocationFollower } from '../process/revocation-follower.ts';
import { accessAffectedBy } from '../routes/watch/access-affected-by.ts';
import type { WatchService } from '../routes/watch/stream-answer.ts';
import type { Infrastructure } from './infrastructure.ts';
import { streamTimers } from './stream-timers.ts';

/** A client that accepts nothing for this long is disconnected. Bookmarks are sent more often. */
const stalledMs = 60_000;

/** The dependencies that end streams before their own limits. */
export interface StreamEnds {
  readonly ended: Pick<RevocationFollower, 'onEnded' | 'hasEnded'>;
  readonly accountExists: AccountDeps['accountExists'];
  readonly access: AccessRulesCache;
  readonly stopping: AbortSignal;
}

/** Puts the streams of changes together. They end with a bookmark when the process is asked to stop. */
export function wireWatch(
  { config, store, logging, clock, metrics }: Infrastructure,
  ends: StreamEnds,
): WatchService {
  const watches = new Watches({
    feed: store.changeLog,
    timers: streamTimers,
    logger: logging.logger,
    clock,
    limits: { perProcess: config.limits.watches, perCaller: config.limits.watches_per_caller },
    metrics: metrics.watch,
    affects: accessAffectedBy(ends.access),
  });
  metrics.watch.count(() => watches.counts);
  ends.stopping.addEventListener('abort', () => watches.stop(), { once: true });
  const state = stateReader(store.reader, store.changeLog);
  return {
    watches,
    feed: store.changeLog,
    state,
    timers: streamTimers,
    clock,
    stalledMs,
    onSessionEnd: (principal, end) => followSession(ends, principal, end),
  };
}

/**
 * Calls `end` when the session or the service account of a stream ends, also when it ended after the request was authorized and before
 * anybody listened. Returns how to stop listening.
 */
function followSession({ ended, accountExists }: StreamEnds, principal: Principal | null, end: () => void) {
  if (principal?.type === 'service_account') {
    // Every session of the uid has ended with the account, so the time at which the stream began does not count.
    const stop = ended.onEnded(principal, { id: '', startedAt: 0 }, end);
    const isGone = accountExists(principal).then((exists) => !exists);
    endWhen(isGone, end);
    return stop;
  }
  const isPerson = principal?.type === 'operator' || principal?.type === 'user';
  return isPerson ? followUser(ended, principal, end) : () => undefined;
}

function followUser(
  ended: StreamEnds['ended'],
  { uid, email, session }: Pick<UserPrincipal, 'uid' | 'email' | 'session'>,
  end: () => void,
) {
  if (session === undefined) return () => undefined;
  const { id, startedAt } = session;
  const stop = ended.onEnded({ uid, email }, session, end);
  const over = ended.hasEnded({ id, uid, email, startedAt });
  if (over === true) end();
  else if (over !== false) endWhen(over, end);
  return stop;
}

/** While that cannot be read, requests are refused; the stream goes on, as others do. */
function endWhen(over: Promise<boolean>, end: () => void): void {
  over.then((isOver) => isOver && end()).catch(() => undefined);
}
