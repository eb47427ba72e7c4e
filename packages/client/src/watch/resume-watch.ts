import { type BackOff, backOffDelay, defaultBackOff } from '../http/backoff.ts';
import { isPlatformError } from '../http/platform-error.ts';
import type { WatchEvent } from '../model/watch-event.ts';
import { sleep, type Timers } from '../timers.ts';

/** Options of `resumeWatch`. */
export interface ResumeOptions {
  readonly timers: Timers;
  readonly signal: AbortSignal;
  readonly backOff?: BackOff;
  /** Called once when an outage begins: no stream can be opened, and it is tried again. A stream that only breaks off is none. */
  readonly onOutage?: (error: unknown) => void;
  /** Called with the first event after an outage. */
  readonly onRecovery?: () => void;
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
  { timers, signal, backOff = defaultBackOff, ...hooks }: ResumeOptions,
): AsyncGenerator<Event, void, undefined> {
  let cursor: string | undefined;
  let failures = 0;
  const outage = new Outage(hooks);
  while (!signal.aborted) {
    const before = failures;
    outage.opens();
    try {
      for await (const event of open(cursor)) {
        failures = 0;
        outage.received();
        cursor = event.cursor ?? cursor;
        yield event;
      }
      failures = before === failures && failures > 0 ? failures + 1 : failures;
    } catch (error) {
      if (signal.aborted) return;
      const isRefused = isPlatformError(error, 'unauthenticated') && failures > 0;
      if (isRefused || !passes(error)) throw error;
      failures += 1;
      outage.failed(error);
    }
    // Also after an ordinary end, so that a server that ends each stream at once is not asked without pause.
    const delay = backOffDelay(backOff, Math.max(1, failures), timers.random());
    await sleep(timers, failures === 0 ? Math.min(delay, 100) : delay, signal).catch(() => undefined);
  }
}

/** Calls the hooks once for each outage. */
class Outage {
  readonly #hooks: Pick<ResumeOptions, 'onOutage' | 'onRecovery'>;
  #isOpen = false;
  #isAway = false;

  constructor(hooks: Pick<ResumeOptions, 'onOutage' | 'onRecovery'>) {
    this.#hooks = hooks;
  }

  /** A stream is being opened. */
  opens(): void {
    this.#isOpen = false;
  }

  /** It sent an event. */
  received(): void {
    this.#isOpen = true;
    if (this.#isAway) this.#hooks.onRecovery?.();
    this.#isAway = false;
  }

  /** It could not be opened, or broke off. An expired token is no outage: it is replaced for the next attempt. */
  failed(error: unknown): void {
    if (this.#isOpen || this.#isAway || isPlatformError(error, 'unauthenticated')) return;
    this.#isAway = true;
    this.#hooks.onOutage?.(error);
  }
}
