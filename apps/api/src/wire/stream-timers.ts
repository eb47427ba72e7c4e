import type { Timers } from '@platform/change-log';
import { monotonicClock } from '@platform/kernel';

/** The timers of the process. They keep no process alive. */
export const streamTimers: Timers = {
  now: () => monotonicClock.now(),
  random: () => Math.random(),
  every(ms, task) {
    const timer = setInterval(task, ms).unref();
    return () => clearInterval(timer);
  },
  sleep(ms) {
    let wake = () => {};
    const done = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return { done, wake };
  },
};
