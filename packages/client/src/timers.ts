/** Clock, timers and random numbers. Tests replace them. */
export interface Timers {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A number in [0, 1). */
  random(): number;
  /** Runs `task` after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void;
}

// setTimeout takes 32 bits, and fires at once for a longer delay.
const longestMs = 2 ** 31 - 1;

/** The clock and timers of the runtime. */
export const systemTimers: Timers = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, task) {
    const timer = setTimeout(task, Math.min(ms, longestMs));
    return () => clearTimeout(timer);
  },
};

/** Waits `ms` milliseconds. Rejects with the reason of `signal` when it is aborted. */
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

/** Settles like `work`, or rejects with the reason of `signal` when it is aborted first. `work` itself continues. */
export function abortable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
