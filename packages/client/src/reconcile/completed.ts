import { PlatformError } from '../http/platform-error.ts';
import type { Timers } from '../timers.ts';

/** How long a write may take, with its retries, when the controller stops. */
const completionMs = 5_000;

/** The signals of a controller, for the work that it has begun. */
export interface Completion {
  /** Aborted when the controller stops: running work is completed. */
  readonly stopping: AbortSignal;
  /** Aborted when this process may write no more, as another replica leads. */
  readonly abandoned: AbortSignal;
  readonly timers: Timers;
}

/** Sends a write of running work. It ends soon after the controller stops, so that a platform that is away does not keep it from stopping. */
export async function completed<T>(
  { stopping, abandoned, timers }: Completion,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ends = new AbortController();
  let cancel = () => {};
  const stop = () => {
    cancel = timers.after(completionMs, () => ends.abort(tooLate()));
  };
  const abandon = () => ends.abort(abandoned.reason);
  const reactions = [
    [stopping, stop],
    [abandoned, abandon],
  ] as const;
  for (const [signal, react] of reactions) {
    if (signal.aborted) react();
    else signal.addEventListener('abort', react, { once: true });
  }
  try {
    return await send(ends.signal);
  } finally {
    cancel();
    for (const [signal, react] of reactions) signal.removeEventListener('abort', react);
  }
}

function tooLate(): PlatformError {
  const detail = `the controller stopped, and the platform did not answer its last write within ${completionMs} ms`;
  return new PlatformError({ status: 0, code: 'timeout', detail });
}
