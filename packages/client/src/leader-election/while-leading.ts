import type { PlatformClient } from '../client.ts';
import { sleep, type Timers } from '../timers.ts';
import { LeaseLock, type LeaseSpec } from './lease-lock.ts';
import { electionTimes, jitter, type LeaderElectionOptions } from './options.ts';

/** The dependencies of an election. */
export interface ElectionContext {
  readonly client: PlatformClient;
  readonly signal: AbortSignal;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
  readonly onChange: (leads: boolean, holder: string | undefined) => void;
}

const leasesKind = { group: 'platform.dev', version: 'v1alpha1', plural: 'leases' };
/** How long giving the lease back may take when the controller stops. */
const releaseMs = 5_000;

/**
 * Runs `run` while this replica leads, until `signal` is aborted. The signal of `run` is also aborted when the lease was lost, and
 * `lost` only then. The lease is
 * renewed until `run` has ended, then given back; after a loss the replica waits for the lease again.
 */
export async function whileLeading(
  options: LeaderElectionOptions,
  context: ElectionContext,
  run: (signal: AbortSignal, lost: AbortSignal) => Promise<void>,
): Promise<void> {
  const times = electionTimes(options);
  const { client, signal, timers, onChange } = context;
  const lock = new LeaseLock({
    name: options.lease,
    identity: options.identity,
    timers,
    leases: client.resources<LeaseSpec>(leasesKind).in(options.organization),
    leaseDurationMs: times.leaseDurationMs,
  });
  const term = new Term(lock, times.renewDeadlineMs, context);
  try {
    while (await term.acquire(times.retryPeriodMs)) {
      onChange(true, lock.holder);
      const ended = new AbortController();
      const running = run(AbortSignal.any([signal, term.lost]), term.lost).finally(() => ended.abort());
      running.catch(() => undefined);
      await term.renew(times.retryPeriodMs, ended.signal);
      await running.finally(() => term.end());
      if (term.lost.aborted) context.onError(term.lost.reason);
      onChange(false, lock.holder);
    }
  } finally {
    lock.close();
  }
}

/** The time in which this replica leads. */
class Term {
  readonly #lock: LeaseLock;
  readonly #deadlineMs: number;
  readonly #context: ElectionContext;
  #lost = new AbortController();
  #cancelDeadline = () => {};

  constructor(lock: LeaseLock, deadlineMs: number, context: ElectionContext) {
    this.#lock = lock;
    this.#deadlineMs = deadlineMs;
    this.#context = context;
  }

  /** Aborted when this replica no longer leads. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Waits until this replica has the lease. False when the controller stops. */
  async acquire(retryPeriodMs: number): Promise<boolean> {
    const { signal, timers } = this.#context;
    while (!signal.aborted) {
      this.#lost = new AbortController();
      if (await this.#attempt(signal)) return true;
      const waitMs = retryPeriodMs * (1 + (jitter - 1) * timers.random());
      await sleep(timers, waitMs, signal).catch(() => undefined);
    }
    return false;
  }

  /** Renews the lease until `ended`, or until it is lost. */
  async renew(retryPeriodMs: number, ended: AbortSignal): Promise<void> {
    const { timers } = this.#context;
    const over = AbortSignal.any([ended, this.lost]);
    while (!over.aborted) {
      await sleep(timers, retryPeriodMs, over).catch(() => undefined);
      if (over.aborted) return;
      const errors = this.#errors;
      const renewed = await this.#attempt(this.lost);
      // An attempt that failed may be repeated until the deadline; one that found another holder may not.
      if (!renewed && errors === this.#errors) this.#lost.abort(new Error('another replica has the lease'));
    }
  }

  /** Gives the lease back, unless it was lost. */
  async end(): Promise<void> {
    this.#cancelDeadline();
    if (this.lost.aborted) return;
    const { timers, onError } = this.#context;
    const late = new AbortController();
    const cancel = timers.after(releaseMs, () =>
      late.abort(new Error('the lease could not be given back in time')),
    );
    await this.#lock.release(late.signal).catch(onError);
    cancel();
  }

  #errors = 0;

  /** The deadline counts from before the request: the platform may have answered long before the answer came. */
  async #attempt(signal: AbortSignal): Promise<boolean> {
    const { timers, onError } = this.#context;
    const lost = this.#lost;
    const cancel = timers.after(this.#deadlineMs, () =>
      lost.abort(new Error(`the lease could not be renewed for ${this.#deadlineMs} ms`)),
    );
    const either = linked(signal, lost.signal);
    try {
      const held = await this.#lock.tryAcquireOrRenew(either.signal);
      if (held && !lost.signal.aborted) {
        this.#cancelDeadline();
        this.#cancelDeadline = cancel;
        return true;
      }
    } catch (error) {
      this.#errors += 1;
      if (!signal.aborted) onError(error);
    } finally {
      either.release();
    }
    cancel();
    return false;
  }
}

/**
 * A signal that is aborted with one of these, until it is released. `AbortSignal.any` leaves a reference at signals that live on, and
 * attempts are made every other second for as long as the replica runs.
 */
function linked(...signals: readonly AbortSignal[]): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const link = new AbortController();
  const abort = () => link.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  }
  return {
    signal: link.signal,
    release() {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}
