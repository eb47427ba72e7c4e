import type { AccessRulesCache } from '@platform/access';
import { stateReader, Watches } from '@platform/change-log';
import type { Metrics } from '../http/metrics.ts';
import type { RevocationFollower } from '../process/revocation-follower.ts';
import { accessAffectedBy } from '../routes/watch/access-affected-by.ts';

import type { WatchService } from '../routes/watch/stream-answer.ts';
import type { Infrastructure } from './infrastructure.ts';
import { streamTimers } from './stream-timers.ts';

/** A client that accepts nothing for this long is disconnected. Bookmarks are sent more often. */
const stalledMs = 60_000;

/** Puts the streams of changes together. They end with a bookmark when the process is asked to stop. */
export function wireWatch(
  { config, store, logging, clock }: Infrastructure,
  metrics: Pick<Metrics, 'watch'>,
  ended: Pick<RevocationFollower, 'onEnded' | 'hasEnded'>,
  access: AccessRulesCache,
  stopping: AbortSignal,
): WatchService {
  const watches = new Watches({
    feed: store.changeLog,
    timers: streamTimers,
    logger: logging.logger,
    clock,
    limits: { perProcess: config.limits.watches, perCaller: config.limits.watches_per_caller },
    metrics: metrics.watch,
    affects: accessAffectedBy(access),
  });
  metrics.watch.count(() => watches.counts);
  stopping.addEventListener('abort', () => watches.stop(), { once: true });
  const state = stateReader(store.reader, store.changeLog);
  return {
    watches,
    feed: store.changeLog,
    state,
    timers: streamTimers,
    clock,
    stalledMs,
    onSessionEnd(principal, end) {
      // Every session of the uid has ended with the account, so the time at which the stream began does not count.
      if (principal?.type === 'service_account')
        return ended.onEnded(principal, { id: '', startedAt: 0 }, end);
      const isPerson = principal?.type === 'operator' || principal?.type === 'user';
      const session = isPerson ? principal.session : undefined;
      if (!isPerson || session === undefined) return () => undefined;
      const stop = ended.onEnded(principal, session, end);
      // It may have ended since the request was authorized, when nobody listened.
      const { id, startedAt } = session;
      const over = ended.hasEnded({ id, uid: principal.uid, email: principal.email, startedAt });
      if (over === true) end();
      // While that cannot be read, requests are refused; the stream goes on, as others do.
      else if (over !== false) over.then((isOver) => isOver && end()).catch(() => undefined);
      return stop;
    },
  };
}
