import type { ChangeEntry, ChangeLog } from '@platform/change-log';
import { type Logger, Problem } from '@platform/kernel';
import type { GroupKind } from '@platform/resources';
import type { Sink } from '../ports/sink.ts';
import type { Timers } from '../ports/timers.ts';
import { LogReader } from './log-reader.ts';
import { type Stream, Watcher } from './watcher.ts';

/** The most streams at a time. */
export interface WatchLimits {
  readonly perProcess: number;
  readonly perCaller: number;
}

/** What is measured of streams. */
export interface WatchMetrics {
  /** Events were sent. */
  sent(events: number): void;
  /** An entry reached the streams so many milliseconds after it was written. */
  delay(milliseconds: number): void;
}

/** What the streams of a process need. */
export interface WatchesDeps {
  readonly feed: ChangeLog;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly limits: WatchLimits;
  readonly metrics: WatchMetrics;
  /** Milliseconds since the Unix epoch. */
  readonly clock: { now(): number };
  /** The streams whose callers may have lost their access by a change: those of a kind, all, or none. */
  readonly affects: (change: ChangeEntry) => GroupKind | 'all' | null;
}

/** How often ends, expiry and bookmarks are due. */
const sweepMs = 1_000;
/** A stream that sent nothing for this long sends a bookmark. Spread, so that a burst of events is not followed by one of bookmarks. */
const bookmarkMs = { least: 8_000, spread: 5_000 };
/** Access checks between two turns of the event loop. */
const checksAtOnce = 200;

/** A place for a stream that was admitted. */
export interface Admission {
  /** Gives the place back, unless the stream was opened; it then does so at its end. */
  release(): void;
  /** Begins the stream. */
  open(stream: Stream, sink: Sink): OpenStream;
}

/** An open stream. */
export interface OpenStream {
  /** The client is gone. */
  close(): void;
  /** Ends the stream with a refusal. */
  fail(problem: Problem): void;
}

/** The streams of a process. */
export class Watches {
  readonly #deps: WatchesDeps;
  readonly #reader: LogReader;
  /** Each with the milliseconds of silence after which it sends a bookmark. */
  readonly #watchers = new Map<Watcher, number>();
  readonly #callers = new Map<string, number>();
  #admitted = 0;
  #isStopping = false;
  #endSweep: (() => void) | null = null;
  #checks: Promise<void> = Promise.resolve();

  constructor(deps: WatchesDeps) {
    this.#deps = deps;
    const { feed, timers, logger } = deps;
    this.#reader = new LogReader({ feed, timers, logger, onChange: (change) => this.#onChange(change) });
  }

  /** How many streams are open, and how many of them read the log by themselves. */
  get counts(): { readonly open: number; readonly behind: number } {
    let behind = 0;
    for (const watcher of this.#watchers.keys()) if (watcher.isBehind) behind += 1;
    return { open: this.#watchers.size, behind };
  }

  /** Whether the log is being read: only while there are streams. */
  get isReading(): boolean {
    return this.#reader.isRunning;
  }

  /** Reserves a place for a stream. @throws Problem `rate_limited` or `unavailable` when there are too many. */
  admit(caller: string): Admission {
    const { perProcess, perCaller } = this.#deps.limits;
    const own = this.#callers.get(caller) ?? 0;
    if (this.#isStopping) throw new Problem('unavailable', 'The service is stopping.');
    if (own >= perCaller) {
      throw new Problem('rate_limited', `You have ${perCaller} watches open, which is the limit.`, {
        retryAfterSeconds: 10,
      });
    }
    if (this.#admitted >= perProcess) {
      throw new Problem('unavailable', 'Too many watches are open.', { retryAfterSeconds: 10 });
    }
    this.#admitted += 1;
    this.#callers.set(caller, own + 1);
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      this.#release(caller);
    };
    return { release, open: (stream, sink) => this.#open(stream, sink, release) };
  }

  /**
   * Asks each stream whether its caller may go on, and ends those that may not. To be called whenever access may have been lost;
   * `concerns` leaves out streams that are not affected.
   */
  recheck(concerns: (stream: Stream) => boolean = () => true): Promise<void> {
    this.#checks = this.#checks
      .then(() => this.#check(concerns))
      .catch((error: unknown) => {
        this.#deps.logger.error('watch: access cannot be checked', { error });
      });
    return this.#checks;
  }

  /** Ends every stream with a bookmark and admits no more. */
  stop(): void {
    this.#isStopping = true;
    for (const watcher of this.#watchers.keys()) watcher.finish();
  }

  #open(stream: Stream, sink: Sink, release: () => void): OpenStream {
    const { feed, timers, metrics } = this.#deps;
    const watcher = new Watcher(
      {
        feed,
        reader: this.#reader,
        timers,
        onSent: () => metrics.sent(1),
        onEnd: () => {
          this.#watchers.delete(watcher);
          release();
          if (this.#watchers.size > 0) return;
          this.#endSweep?.();
          this.#endSweep = null;
        },
      },
      stream,
      sink,
    );
    this.#watchers.set(watcher, bookmarkMs.least + timers.random() * bookmarkMs.spread);
    this.#endSweep ??= timers.every(sweepMs, () => this.#sweep());
    watcher.start();
    // It may have been admitted before the stop.
    if (this.#isStopping) watcher.finish();
    return { close: () => watcher.close(), fail: (problem) => watcher.fail(problem) };
  }

  #release(caller: string): void {
    this.#admitted -= 1;
    const own = (this.#callers.get(caller) ?? 1) - 1;
    if (own === 0) this.#callers.delete(caller);
    else this.#callers.set(caller, own);
  }

  #sweep(): void {
    const now = this.#deps.timers.now();
    for (const [watcher, silence] of this.#watchers) {
      const { expiresAt, endsAt } = watcher.stream;
      if (expiresAt !== null && now >= expiresAt) watcher.fail(expired());
      else if (now >= endsAt) watcher.finish();
      else if (now - watcher.sentAt >= silence) watcher.bookmark();
    }
  }

  #onChange(change: ChangeEntry): void {
    const { affects, metrics, clock } = this.#deps;
    metrics.delay(Math.max(0, clock.now() - Date.parse(change.time)));
    const affected = affects(change);
    if (affected === null) return;
    void this.recheck(
      ({ scope }) => affected === 'all' || scope.kind === null || isSame(scope.kind, affected),
    );
  }

  async #check(concerns: (stream: Stream) => boolean): Promise<void> {
    const watchers = [...this.#watchers.keys()].filter(({ stream }) => concerns(stream));
    for (let from = 0; from < watchers.length; from += checksAtOnce) {
      await Promise.all(
        watchers.slice(from, from + checksAtOnce).map(async (watcher) => {
          const refusal = await watcher.stream.check();
          if (refusal !== null) watcher.fail(refusal);
        }),
      );
    }
  }
}

function isSame(a: GroupKind, b: GroupKind): boolean {
  return a.group === b.group && a.kind === b.kind;
}

function expired(): Problem {
  return new Problem('unauthenticated', 'The credentials have expired.');
}
