/** Time and chance, so that a test can move the one and fix the other. */
export interface Timers {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A number from 0 up to, not including, 1. */
  random(): number;
  /** Runs `task` after `ms` milliseconds; the answer cancels it. */
  after(ms: number, task: () => void): () => void;
}

// setTimeout counts in 32 bits and fires at once for anything longer.
const longestMs = 2 ** 31 - 1;

/** The timers of the machine. */
export const systemTimers: Timers = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, task) {
    const timer = setTimeout(task, Math.min(ms, longestMs));
    return () => clearTimeout(timer);
  },
};

/** Waits `ms` milliseconds. Rejects with the reason of `signal` as soon as it is aborted. */
export function sleep(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = timers.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** The outcome of `work`, unless `signal` is aborted first: then its reason. The work itself goes on. */
export function abortable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
