import type { SubscriptionDelivery } from '@platform/change-log';
import type { Collector, WakeUps } from '@platform/garbage-collector';
import { pause } from '@platform/service-runtime';

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
      // Renewed before the step, so that a wake-up during the step shortens the wait after it.
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

/** Steps the delivery of subscriptions until `stopping`, then waits until what is under way is done. */
export async function runDelivery(
  delivery: Pick<SubscriptionDelivery, 'step' | 'stop'>,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) await pause(await delivery.step(), stopping);
  await delivery.stop();
}
