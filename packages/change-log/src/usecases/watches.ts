import { type Logger, OutageLog, Problem } from '@platform/kernel';
import type { GroupKind } from '@platform/resources';
import type { ChangeEntry } from '../model/change-entry.ts';
import type { ChangeLog } from '../ports/change-log.ts';
import type { Sink } from '../ports/sink.ts';
import type { Timers } from '../ports/timers.ts';
import { KeptBytes } from './kept-bytes.ts';
import { LogReader } from './log-reader.ts';
import { type Stream, type StreamSettings, Watcher, type WatcherDeps } from './watcher.ts';

/** The most streams at a time. */
export interface WatchLimits {
  readonly perProcess: number;
  readonly perCaller: number;
}

/** The measurements of streams. */
export interface WatchMetrics {
  /** Events were sent. */
  sent(events: number): void;
  /** An entry reached the streams so many milliseconds after it was written. */
  delay(milliseconds: number): void;
}

/** The dependencies of the streams of a process. */
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

/** How often it is checked whether a stream ends, expires or sends a bookmark. */
const timerMs = 1_000;
/** A stream that sent nothing for this long sends a bookmark. Spread, so that a burst of events is not followed by one of bookmarks. */
const bookmarkMs = { least: 8_000, spread: 5_000 };
const phrases = {
  began: 'watch: access cannot be checked, trying again',
  ended: 'watch: access is checked again',
};
/** Access checks between two turns of the event loop. */
const checksAtOnce = 200;

/** A place for a stream that was admitted. */
export interface Admission {
  readonly caller: string;
}

/** The state of a stream apart from the watcher. */
interface Place {
  readonly admission: Admission;
  /** Milliseconds of silence after which it sends a bookmark. */
  readonly silenceMs: number;
}

/** The way to end a stream that is open. */
export interface StreamHandle {
  /** The client is gone. */
  close(): void;
  /** Ends the stream with a refusal. */
  fail(problem: Problem): void;
}

/** The streams of a process. */
export class Watches {
  readonly #deps: WatchesDeps;
  readonly #reader: LogReader;
  readonly #watcherDeps: WatcherDeps;
  readonly #watchers = new Map<Watcher, Place>();
  readonly #admissions = new Set<Admission>();
  /** Streams whose callers may have lost their access, and that were not asked yet. */
  readonly #unchecked = new Set<Watcher>();
  readonly #callers = new Map<string, number>();
  #isStopping = false;
  #stopTimer: (() => void) | null = null;
  #checking: Promise<void> | null = null;
  readonly #outage: OutageLog;

  constructor(deps: WatchesDeps) {
    this.#deps = deps;
    const { feed, timers, logger, metrics } = deps;
    const reader = new LogReader({ feed, timers, logger, onChange: (change) => this.#onChange(change) });
    this.#reader = reader;
    this.#outage = new OutageLog(logger, phrases, timers);
    const onEnd = (watcher: Watcher) => this.#onEnd(watcher);
    const kept = new KeptBytes();
    this.#watcherDeps = { feed, reader, timers, logger, kept, onSent: () => metrics.sent(1), onEnd };
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
    if (this.#admissions.size >= perProcess) {
      throw new Problem('unavailable', 'Too many watches are open.', { retryAfterSeconds: 10 });
    }
    const admission = { caller };
    this.#admissions.add(admission);
    this.#callers.set(caller, own + 1);
    return admission;
  }

  /** Gives a place back. An opened stream does so at its end. */
  release(admission: Admission): void {
    if (!this.#admissions.delete(admission)) return;
    const { caller } = admission;
    const own = (this.#callers.get(caller) ?? 1) - 1;
    if (own === 0) this.#callers.delete(caller);
    else this.#callers.set(caller, own);
  }

  /** Begins a stream at its place. */
  open(
    admission: Admission,
    stream: StreamSettings,
    { start, sink }: Pick<Stream, 'start'> & { readonly sink: Sink },
  ): StreamHandle {
    const { timers } = this.#deps;
    const watcher = new Watcher(this.#watcherDeps, stream, sink);
    const silenceMs = bookmarkMs.least + timers.random() * bookmarkMs.spread;
    this.#watchers.set(watcher, { admission, silenceMs });
    this.#stopTimer ??= timers.every(timerMs, () => this.#onTimer());
    watcher.start(start);
    // It may have been admitted before the stop.
    if (this.#isStopping) watcher.finish();
    return watcher;
  }

  /**
   * Asks each stream whether its caller may go on, and ends those that may not. To be called whenever access may have been lost;
   * `concerns` leaves out streams that are not affected. Resolves when nothing is left to ask, or when asking failed: the timer tries again.
   */
  recheck(concerns: (stream: StreamSettings) => boolean = () => true): Promise<void> {
    for (const watcher of this.#watchers.keys()) if (concerns(watcher.stream)) this.#unchecked.add(watcher);
    this.#checking ??= this.#check()
      .then(
        () => this.#outage.end(),
        (error: unknown) => {
          if (!this.#outage.note(error)) this.#deps.logger.error(phrases.began, { error });
        },
      )
      .finally(() => {
        this.#checking = null;
      });
    return this.#checking;
  }

  /** Ends every stream with a bookmark and admits no more. */
  stop(): void {
    this.#isStopping = true;
    for (const watcher of this.#watchers.keys()) watcher.finish();
  }

  #onEnd(watcher: Watcher): void {
    const place = this.#watchers.get(watcher);
    this.#watchers.delete(watcher);
    this.#unchecked.delete(watcher);
    if (place !== undefined) this.release(place.admission);
    if (this.#watchers.size > 0) return;
    this.#stopTimer?.();
    this.#stopTimer = null;
  }

  #onTimer(): void {
    const now = this.#deps.timers.now();
    for (const [watcher, { silenceMs }] of this.#watchers) {
      const { expiresAt, endsAt } = watcher.stream;
      if (expiresAt !== null && now >= expiresAt) watcher.fail(expired());
      else if (now >= endsAt) watcher.finish();
      else if (now - watcher.sentAt >= silenceMs) watcher.bookmark();
    }
    if (this.#unchecked.size > 0) void this.recheck(() => false);
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

  async #check(): Promise<void> {
    while (this.#unchecked.size > 0) {
      const batch = [...this.#unchecked].slice(0, checksAtOnce);
      // Before they are asked: a change that comes meanwhile has them asked again.
      for (const watcher of batch) this.#unchecked.delete(watcher);
      await allOf(batch.map((watcher) => this.#checkOne(watcher)));
    }
  }

  /** An outage does not end a stream, but its caller may have lost its access: the stream waits for the next check. */
  async #checkOne(watcher: Watcher): Promise<void> {
    try {
      const refusal = await watcher.stream.check();
      if (refusal !== null) watcher.fail(refusal);
    } catch (error) {
      if (this.#watchers.has(watcher)) this.#unchecked.add(watcher);
      throw error;
    }
  }
}

/** Waits for all of them also when one fails. */
async function allOf(checks: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(checks);
  await Promise.all(checks);
}

function isSame(a: GroupKind, b: GroupKind): boolean {
  return a.group === b.group && a.kind === b.kind;
}

function expired(): Problem {
  return new Problem('unauthenticated', 'The credentials have expired.');
}
