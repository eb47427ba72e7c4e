import { type BackOff, backOffDelay, defaultBackOff } from '../http/backoff.ts';
import { isPlatformError } from '../http/platform-error.ts';
import type { WatchEvent } from '../model/watch-event.ts';
import { sleep, type Timers } from '../timers.ts';

/** Options of `resumeWatch`. */
export interface ResumeOptions {
  readonly timers: Timers;
  readonly signal: AbortSignal;
  readonly backOff?: BackOff;
}

/** Failures that pass: no response, an overloaded or restarting server, an expired token. */
const passing = ['unreachable', 'timeout', 'unavailable', 'contention', 'rate_limited', 'unauthenticated'];

/** A proxy answers 502, 503 or 504 while the platform behind it restarts. */
function passes(error: unknown): boolean {
  if (isPlatformError(error, 'unexpected_answer')) return error.status >= 502 && error.status <= 504;
  return isPlatformError(error, ...passing);
}

/**
 * The events of streams that follow one another: when one ends or breaks off, the next one goes on after its last event. `open` opens a
 * stream. Throws what it refuses for good, and `unauthenticated` when the next attempt fails with it, too.
 */
export async function* resumeWatch<Event extends Pick<WatchEvent, 'cursor'>>(
  open: (cursor: string | undefined) => AsyncIterable<Event>,
  { timers, signal, backOff = defaultBackOff }: ResumeOptions,
): AsyncGenerator<Event, void, undefined> {
  let cursor: string | undefined;
  let failures = 0;
  while (!signal.aborted) {
    const before = failures;
    try {
      for await (const event of open(cursor)) {
        failures = 0;
        cursor = event.cursor ?? cursor;
        yield event;
      }
      failures = before === failures && failures > 0 ? failures + 1 : failures;
    } catch (error) {
      if (signal.aborted) return;
      const isRefused = isPlatformError(error, 'unauthenticated') && failures > 0;
      if (isRefused || !passes(error)) throw error;
      failures += 1;
    }
    // Also after an ordinary end, so that a server that ends each stream at once is not asked without pause.
    const delay = backOffDelay(backOff, Math.max(1, failures), timers.random());
    await sleep(timers, failures === 0 ? Math.min(delay, 100) : delay, signal).catch(() => undefined);
  }
}
