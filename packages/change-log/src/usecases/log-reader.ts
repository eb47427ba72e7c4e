import { backoff, type Logger, OutageLog, Problem } from '@platform/kernel';
import type { ChangeEntry } from '../model/change-entry.ts';
import { type Cursor, comparePlaces } from '../model/cursor.ts';
import { keysOf } from '../model/scope.ts';
import type { ChangeLog, ChangePage } from '../ports/change-log.ts';
import type { Timers } from '../ports/timers.ts';
import { RecentEvents } from './recent-events.ts';
import { Semaphore } from './semaphore.ts';
import { SharedEvent } from './shared-event.ts';

/** A watcher as the reader sees it. */
export interface Follower {
  /** The keys of the changes that it is offered: those of its scope, and `removed <uid>` of the resource that it is bound to. */
  readonly keys: readonly string[];
  /** Offers the next event at the head of the log. */
  offer(event: SharedEvent): void;
  /** The log cannot be followed any further. */
  fail(problem: Problem): void;
}

/** The dependencies of the log reader. */
export interface LogReaderDeps {
  readonly feed: ChangeLog;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Told of each change once, before the followers. */
  readonly onChange: (change: ChangeEntry) => void;
}

/** Entries of one read: few enough to be read within milliseconds, many enough for a burst. */
const pageSize = 500;
/** Reads of followers that lag, at a time: they must not take the connections of other requests. */
const laggingReads = 3;
/** How often the log is read without a wake-up. */
const pollMs = 1_000;
const retry = { firstMs: 100, longestMs: 5_000 };
const phrases = {
  began: 'watch: the change log cannot be read, trying again',
  ended: 'watch: the change log is read again',
};

/** Reads the log once for all watchers of the process, as long as somebody watches. */
export class LogReader {
  readonly #deps: LogReaderDeps;
  readonly #followers = new Map<string, Set<Follower>>();
  #count = 0;
  #run: Run | null = null;
  readonly #laggingReads = new Semaphore(laggingReads);

  constructor(deps: LogReaderDeps) {
    this.#deps = deps;
  }

  /** Whether the log is being read. */
  get isRunning(): boolean {
    return this.#run !== null;
  }

  /** The place up to which every follower at the head was offered everything; null while the log was not read yet. */
  get position(): Cursor | null {
    return this.#run?.position ?? null;
  }

  /** Offers changes to a follower from now on. */
  add(follower: Follower): void {
    for (const key of follower.keys) {
      const set = this.#followers.get(key);
      if (set === undefined) this.#followers.set(key, new Set([follower]));
      else set.add(follower);
    }
    this.#count += 1;
    if (this.#run === null) {
      this.#run = new Run(
        this.#deps,
        (page) => this.#dispatch(page),
        (problem) => this.#fail(problem),
      );
      this.#run.start();
    }
  }

  /** Offers nothing more to a follower. When the last one is removed, the log is no longer read. */
  remove(follower: Follower): void {
    for (const key of follower.keys) {
      const set = this.#followers.get(key);
      set?.delete(follower);
      if (set?.size === 0) this.#followers.delete(key);
    }
    this.#count -= 1;
    if (this.#count > 0) return;
    this.#run?.stop();
    this.#run = null;
  }

  /** Resolves when {@link position} is known. */
  async ready(): Promise<void> {
    await this.#run?.ready();
  }

  /** The events between a cursor and the head, from memory; null when they must be read from the log. */
  recent(cursor: Cursor): readonly SharedEvent[] | null {
    const { position = null, recent = null } = this.#run ?? {};
    if (position === null || recent === null) return null;
    return comparePlaces(cursor, position) >= 0 ? [] : recent.after(cursor);
  }

  /** Reads the log for one follower that lags. */
  async read(after: Cursor, limit: number): Promise<ChangePage> {
    return await this.#laggingReads.run(() => this.#deps.feed.read(after, limit));
  }

  #dispatch(event: SharedEvent): void {
    this.#deps.onChange(event.change);
    for (const key of keysOf(event.change)) this.#offer(key, event);
    // Last: its children were removed before it, and their watchers end with this.
    if (event.change.removed) this.#offer(`removed ${event.change.resource.uid}`, event);
  }

  #offer(key: string, event: SharedEvent): void {
    for (const follower of this.#followers.get(key) ?? []) follower.offer(event);
  }

  #fail(problem: Problem): void {
    const all = new Set([...this.#followers.values()].flatMap((set) => [...set]));
    for (const follower of all) follower.fail(problem);
  }
}

/** One life of the reader: from the first watcher to the last. */
class Run {
  position: Cursor | null = null;
  recent: RecentEvents | null = null;
  #waiting: (() => void)[] = [];
  readonly #deps: LogReaderDeps;
  readonly #dispatch: (event: SharedEvent) => void;
  readonly #fail: (problem: Problem) => void;
  #stopped = false;
  #wake: () => void = () => undefined;
  #woken = false;

  constructor(deps: LogReaderDeps, dispatch: (event: SharedEvent) => void, fail: (problem: Problem) => void) {
    this.#deps = deps;
    this.#dispatch = dispatch;
    this.#fail = fail;
  }

  /** Resolves when the position is known, or nobody watches any more. */
  ready(): Promise<void> {
    if (this.position !== null || this.#stopped) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  start(): void {
    void this.#follow();
  }

  stop(): void {
    this.#stopped = true;
    this.#release();
    this.#wake();
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #follow(): Promise<void> {
    const { feed, logger, timers } = this.#deps;
    const outage = new OutageLog(logger, phrases, timers);
    const listening = feed.listen(() => {
      this.#woken = true;
      this.#wake();
    });
    let failures = 0;
    while (!this.#stopped) {
      try {
        this.#woken = false;
        const more = await this.#step();
        failures = 0;
        outage.end();
        if (!more) await this.#sleep(pollMs);
      } catch (error) {
        failures += 1;
        if (!outage.note(error)) logger.warn(phrases.began, { failures, error });
        await this.#sleep(backoff(failures - 1, retry));
      }
    }
    await listening.then(({ close }) => close()).catch(() => undefined);
  }

  /** Reads on. Resolves with whether the log has more. */
  async #step(): Promise<boolean> {
    if (this.position === null) {
      this.position = await this.#deps.feed.head();
      this.recent = new RecentEvents(this.position);
      this.#release();
    }
    const page = await this.#read(this.position);
    if (page === null || this.#stopped) return false;
    for (const change of page.changes) {
      const event = new SharedEvent(change);
      this.recent?.push(event);
      // Followers that join while others are offered an event must find it among the recent ones.
      this.position = change.cursor;
      this.#dispatch(event);
    }
    this.position = page.end;
    return page.more;
  }

  /** Null when the log no longer has the position: after a restore, or a failover that lost its end. */
  async #read(position: Cursor): Promise<ChangePage | null> {
    try {
      return await this.#deps.feed.read(position, pageSize);
    } catch (error) {
      // The followers belong to the next run by now.
      if (this.#stopped) return null;
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      this.position = null;
      this.#fail(error);
      return null;
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#woken || this.#stopped) return;
    const { done, wake } = this.#deps.timers.sleep(ms);
    this.#wake = wake;
    await done;
  }
}
