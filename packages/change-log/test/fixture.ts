import { recordingLogger, settled } from '@platform/development/testing';
import type { Cursor } from '../src/model/cursor.ts';
import type { Scope } from '../src/model/scope.ts';
import type { Sink } from '../src/ports/sink.ts';
import type { Timers } from '../src/ports/timers.ts';
import type { Stream } from '../src/usecases/watcher.ts';
import { Watches, type WatchesDeps } from '../src/usecases/watches.ts';
import { FakeFeed } from './fake-feed.ts';

/** A client that accepts as much as the test says. */
export class FakeSink implements Sink {
  text = '';
  isEnded = false;
  /** Writes that are accepted before the client stops reading. */
  accepts = Number.POSITIVE_INFINITY;
  #drain: (() => void)[] = [];

  get isBehind(): boolean {
    return this.accepts <= 0;
  }

  get isEmpty(): boolean {
    return !this.isBehind;
  }

  write(bytes: Uint8Array): boolean {
    if (this.isEnded) throw new Error('written after the end');
    this.text += Buffer.from(bytes).toString();
    this.accepts -= 1;
    return this.accepts > 0;
  }

  onDrain(task: () => void): void {
    this.#drain.push(task);
  }

  end(): void {
    this.isEnded = true;
  }

  /** The client reads on, for so many writes. */
  drain(accepts: number): void {
    this.accepts = accepts;
    for (const task of this.#drain.splice(0)) task();
  }

  // biome-ignore lint/suspicious/noExplicitAny: events are asserted on member by member
  get events(): readonly any[] {
    return this.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /** Each event as `<type> <name>@<revision>`, without bookmarks. */
  get told(): readonly string[] {
    return this.events
      .filter(({ type }) => type !== 'BOOKMARK')
      .map(({ type, object, problem }) =>
        problem === undefined
          ? `${type} ${object.metadata.name}@${object.metadata.revision}`
          : `${type} ${problem}`,
      );
  }
}

/** Time that stands still until the test moves it. */
class ManualTimers implements Timers {
  #now = 0;
  #tasks = new Set<{ readonly ms: number; at: number; readonly run: () => void; readonly again: boolean }>();
  now = () => this.#now;
  random = () => 0;

  every = (ms: number, run: () => void) => {
    const task = { ms, at: this.#now + ms, run, again: true };
    this.#tasks.add(task);
    return () => void this.#tasks.delete(task);
  };

  sleep = (ms: number) => {
    let wake = () => {};
    const done = new Promise<void>((resolve) => {
      wake = resolve;
      this.#tasks.add({ ms, at: this.#now + ms, run: resolve, again: false });
    });
    return { done, wake: () => wake() };
  };

  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    while (this.#now < until) {
      this.#now = Math.min(until, this.#now + 500);
      for (const task of [...this.#tasks]) {
        if (task.at > this.#now) continue;
        if (task.again) task.at += task.ms;
        else this.#tasks.delete(task);
        task.run();
      }
      await settled();
    }
  }
}

const farms: Scope = {
  kind: { group: 'farm.example', kind: 'Farm' },
  boundTo: null,
  name: null,
  uid: null,
  ancestors: null,
  depth: null,
};

/** The streams of a process over a log in memory. */
export function fixture(changes: Partial<WatchesDeps> = {}) {
  const feed = new FakeFeed();
  const timers = new ManualTimers();
  const logger = recordingLogger();
  const watches = new Watches({
    feed,
    timers,
    logger,
    clock: { now: () => Date.UTC(2026, 0, 1) },
    limits: { perProcess: 10, perCaller: 5 },
    metrics: { sent: () => undefined, delay: () => undefined },
    affects: () => null,
    ...changes,
  });
  const stream = (own: Partial<Stream> & { readonly scope?: Scope }): Stream => ({
    requestId: 'r1',
    scope: farms,
    shape: { format: 'ndjson', version: 'v1' },
    matches: null,
    sees: null,
    start: {
      initial: {
        first: { ...feed.list(), more: false },
        next: async () => ({ ...feed.list(), more: false }),
      },
    },
    renderProblem: ({ code }) => JSON.stringify(code),
    check: async () => null,
    expiresAt: null,
    endsAt: Number.POSITIVE_INFINITY,
    ...own,
  });
  return {
    feed,
    timers,
    logger,
    watches,
    farms,
    /** Opens a stream and waits until it is idle. */
    async open(own: Partial<Stream> = {}, sink = new FakeSink()) {
      const { start, ...kept } = stream(own);
      const opened = watches.open(watches.admit('somebody'), kept, { start, sink });
      await settled();
      return Object.assign(sink, { close: () => opened.close() });
    },
    from: (cursor: Cursor) => ({ start: { cursor } }),
    settled,
  };
}
