import { setTimeout as sleep } from 'node:timers/promises';
import type { Collector, WakeUps } from '@platform/garbage-collector';

/**
 * Steps the collector until `stopping`: waits after each step for as long as the step said, or until a wake-up comes. In the end
 * the lease is given back, so that another replica takes over at once.
 */
export async function runLoop(
  collector: Pick<Collector, 'step' | 'wake' | 'close'>,
  wakeUps: WakeUps,
  stopping: AbortSignal,
): Promise<void> {
  let woken = new AbortController();
  const stop = () => woken.abort();
  stopping.addEventListener('abort', stop);
  const listening = await wakeUps.listen((wakeUp) => {
    collector.wake(wakeUp);
    woken.abort();
  });
  try {
    while (!stopping.aborted) {
      // Renewed before the step: what comes while it runs cuts the wait after it short.
      woken = new AbortController();
      const pauseMs = await collector.step();
      if (!stopping.aborted) await pause(pauseMs, woken.signal);
    }
  } finally {
    stopping.removeEventListener('abort', stop);
    await listening.close();
    await collector.close();
  }
}

async function pause(milliseconds: number, woken: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: woken }).catch(() => undefined);
}
