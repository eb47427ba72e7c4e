import { Ticker } from '@platform/change-log';
import { monotonicClock } from '@platform/kernel';
import { pause, processName } from '@platform/service-runtime';
import type { Infrastructure } from './infrastructure.ts';

/** Adds ticks to the change log while this process holds the lease, from `start` to `stop`. */
export function createTicker({ store, logging }: Infrastructure) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const ticker = new Ticker({
    ticks: store.ticks,
    lease: store.tickerLease,
    clock: monotonicClock,
    logger: logging.logger,
    sleep: pause,
    holder: processName(),
  });
  return {
    start() {
      running ??= ticker.run(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
