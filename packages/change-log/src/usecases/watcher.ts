import { type Logger, Problem } from '@platform/kernel';
import type { JsonText, Resource } from '@platform/resources';
import type { ChangeEntry } from '../model/change-entry.ts';
import { type Cursor, comparePlaces } from '../model/cursor.ts';
import type { InitialPage, ListPlace } from '../model/initial-page.ts';
import { isInScope, keyOf, type Scope } from '../model/scope.ts';
import { renderBookmark, renderError, renderInitial, type Shape, sizeOf } from '../model/stream-event.ts';
import type { ChangeLog } from '../ports/change-log.ts';
import type { Sink } from '../ports/sink.ts';
import type { Timers } from '../ports/timers.ts';
import { type Matches, type Sees, shownChange } from '../rules/event-type.ts';
import { HandOver } from './hand-over.ts';
import type { KeptBytes } from './kept-bytes.ts';
import type { Follower, LogReader } from './log-reader.ts';
import { SharedEvent } from './shared-event.ts';
import { throughOutages } from './through-outages.ts';

/** The initial state of a stream, which is read as fast as the client takes it. */
export interface InitialState {
  /** It is read before the stream begins, so that a refusal is an ordinary answer. */
  readonly first: InitialPage;
  /** The resources after the given place, in list order. */
  next(after: ListPlace): Promise<InitialPage>;
}

/** The settings of one stream: the changes that it shows, in which form, and when it ends. */
export interface StreamSettings {
  /** The id of its request, for the log. */
  readonly requestId: string;
  readonly scope: Scope;
  readonly shape: Shape;
  /** Null shows every resource of the scope. */
  readonly matches: Matches | null;
  /** Whether the caller may see a resource; null for a caller who may see all of the scope. */
  readonly sees: Sees | null;
  /** The document of a refusal. */
  readonly renderProblem: (problem: Problem) => JsonText;
  /** Whether the caller may go on watching: null, or the refusal that ends the stream. Rejects when that is not known, as in an outage. */
  readonly check: () => Promise<Problem | null>;
  /** Milliseconds of the timers at which the credential expires; null for never. */
  readonly expiresAt: number | null;
  /** Milliseconds of the timers at which the server ends the stream. */
  readonly endsAt: number;
}

/** A stream to open: its settings, and where it starts. */
export interface Stream extends StreamSettings {
  /** The cursor to go on from, or the state to begin with; nothing of it is kept. */
  readonly start: { readonly cursor: Cursor } | { readonly initial: InitialState };
}

/** The dependencies of all watchers. */
export interface WatcherDeps {
  readonly feed: Pick<ChangeLog, 'includes' | 'advance'>;
  readonly reader: LogReader;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly kept: KeptBytes;
  /** Counts the events that are sent. */
  readonly onSent: () => void;
  /** Called once for each stream, when it has ended. */
  readonly onEnd: (watcher: Watcher) => void;
}

/** Entries that a watcher that lags reads at a time. Those that wait for its client are read again when there is no room to keep them. */
const laggingPage = 100;

/**
 * One stream. At the head of the log it is offered events and waits for nothing, so an idle stream has no promise or timer of its own.
 * When its client does not accept an event, it falls behind: it reads the log by itself until it is at the head again.
 */
export class Watcher implements Follower {
  readonly stream: StreamSettings;
  readonly #deps: WatcherDeps;
  readonly #sink: Sink;
  #cursor: Cursor | null = null;
  #handOver: HandOver | null = null;
  #isAtHead = false;
  #isOver = false;
  /** Bytes that wait for the client, of those that streams share. */
  #keptBytes = 0;
  /** When something was last sent, in milliseconds of the timers. */
  sentAt: number;

  constructor(deps: WatcherDeps, stream: StreamSettings, sink: Sink) {
    this.#deps = deps;
    this.#sink = sink;
    this.stream = stream;
    this.sentAt = deps.timers.now();
  }

  // Made when they are asked for: a stream asks twice, and there are many streams.
  get keys(): readonly string[] {
    const { boundTo } = this.stream.scope;
    return [keyOf(this.stream.scope), ...(boundTo === null ? [] : [`removed ${boundTo}`])];
  }

  /** Whether it reads the log by itself. */
  get isBehind(): boolean {
    return !this.#isAtHead;
  }

  /** Begins to stream. */
  start(start: Stream['start']): void {
    this.#deps.reader.add(this);
    if ('cursor' in start) this.#cursor = start.cursor;
    void this.#run('initial' in start ? start.initial : null);
  }

  offer(event: SharedEvent): void {
    if (!this.#isAtHead || this.#deliver(event)) return;
    this.#isAtHead = false;
    this.#sink.onDrain(() => void this.#run(null));
  }

  /** Sends a bookmark, unless the client has not accepted what was sent before. */
  bookmark(): void {
    if (this.#isOver || !this.#sink.isEmpty) return;
    const cursor = this.#position();
    if (cursor !== null) this.#write(renderBookmark(cursor, this.stream.shape));
  }

  /** Ends the stream with a bookmark, so that a client can go on elsewhere. */
  finish(): void {
    if (this.#isOver) return;
    const cursor = this.#position();
    if (cursor !== null) this.#sink.write(renderBookmark(cursor, this.stream.shape));
    this.#end();
  }

  fail(problem: Problem): void {
    if (this.#isOver) return;
    this.#sink.write(renderError(this.stream.renderProblem(problem), this.stream.shape));
    this.#end();
  }

  /** The client is gone. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isAtHead = false;
    this.#deps.reader.remove(this);
    this.#releaseKept();
    this.#deps.onEnd(this);
  }

  #end(): void {
    this.#sink.end();
    this.close();
  }

  /** The cursor of a bookmark; null while the initial state is being sent, since nothing can be resumed before its end. */
  #position(): Cursor | null {
    const head = this.#isAtHead ? this.#deps.reader.position : null;
    if (this.#cursor === null || head === null) return this.#cursor;
    return this.#deps.feed.advance(this.#cursor, { ...head, cursor: head });
  }

  async #run(initial: InitialState | null): Promise<void> {
    try {
      if (initial !== null) await this.#list(initial);
      await this.#catchUp();
    } catch (error) {
      if (this.#isOver) return;
      if (error instanceof Problem) return this.fail(error);
      this.#deps.logger.error('watch: a stream failed', { requestId: this.stream.requestId, error });
      this.fail(new Problem('internal_error', 'The stream failed.', { cause: error }));
    }
  }

  /** Sends the initial state, page by page. */
  async #list({ first, next }: InitialState): Promise<void> {
    const handOver = new HandOver(this.stream.scope, this.#deps.feed);
    for (let page = first; ; ) {
      const last = await this.#sendPage(page, handOver);
      if (this.#isOver) return;
      if (last === null) break;
      page = await this.#throughOutages(() => next(last));
    }
    this.#cursor = first.cursor;
    if (!handOver.isOfOnePoint) this.#handOver = handOver;
    this.#write(renderBookmark(first.cursor, this.stream.shape, true));
  }

  /** The place up to which everything was sent or passed over, when there is more to read; null after the last page. */
  async #sendPage(page: InitialPage, handOver: HandOver): Promise<ListPlace | null> {
    const { items, more, cursor } = page;
    const { matches, shape } = this.stream;
    // The state was read with the scopes of the caller.
    const isShown = (resource: Resource) => matches?.(resource) ?? true;
    const bytes = items.map((resource) => (isShown(resource) ? renderInitial(resource, shape) : null));
    let waiting = bytes.reduce((sum, one) => sum + (one?.length ?? 0), 0);
    for (const [index, item] of items.entries()) {
      if (this.#isOver) return null;
      const text = bytes[index];
      if (text == null) continue;
      waiting -= text.length;
      this.#deps.onSent();
      if (this.#write(text)) continue;
      const kept = this.#deps.kept.reserve(waiting);
      if (kept === null) {
        bytes.length = 0;
        handOver.add(item, cursor);
        await this.#drained();
        return item;
      }
      this.#keptBytes = kept;
      await this.#drained();
      this.#releaseKept();
    }
    const last = page.next ?? items.at(-1);
    const goesOn = more && last !== undefined;
    handOver.add(goesOn ? last : null, cursor);
    return goesOn ? last : null;
  }

  /** Reads the log up to its head, as fast as the client takes it; then the reader offers what follows. */
  async #catchUp(): Promise<void> {
    const { reader, feed } = this.#deps;
    await reader.ready();
    while (!this.#isOver) {
      if (this.#sink.isBehind) return this.#sink.onDrain(() => void this.#run(null));
      if (this.#joinHead()) return;
      if (this.#isOver || this.#sink.isBehind) continue;
      const cursor = this.#cursor as Cursor;
      const page = await this.#throughOutages(() => reader.read(cursor, laggingPage));
      if ((await this.#sendChanges(page.changes)) && this.#cursor !== null)
        this.#cursor = feed.advance(this.#cursor, { ...page.end, cursor: page.end });
      // An empty end of the log before the reader has found its own: it will have in a moment.
      if (!page.more) await reader.ready();
    }
  }

  /** Sends the events of a page as the client takes them. False when the rest has to be read again, or the stream is over. */
  async #sendChanges(changes: readonly ChangeEntry[]): Promise<boolean> {
    let waiting = changes.reduce((sum, change) => sum + sizeOf(change), 0);
    for (const change of changes) {
      waiting -= sizeOf(change);
      if (this.#deliver(new SharedEvent(change))) continue;
      const kept = this.#isOver ? null : this.#deps.kept.reserve(waiting);
      if (kept === null) return false;
      this.#keptBytes = kept;
      await this.#drained();
      this.#releaseKept();
    }
    return true;
  }

  /** Sends the recent events that are missing. False when they must be read, or the client does not accept them. */
  #joinHead(): boolean {
    const events = this.#deps.reader.recent(this.#cursor as Cursor);
    if (events === null || !events.every((event) => this.#deliver(event))) return false;
    this.#isAtHead = !this.#isOver;
    return true;
  }

  /** Sends an event if the stream shows it. False when the client accepts no more, or the stream is over. */
  #deliver(event: SharedEvent): boolean {
    const { change } = event;
    const { scope, matches, sees, shape } = this.stream;
    const before = this.#cursor;
    if (this.#isOver || before === null) return false;
    if (comparePlaces(change, before) <= 0) return true;
    if (change.removed && change.resource.uid === scope.boundTo) {
      this.fail(new Problem('not_found', 'The resource that the stream was below is removed.'));
      return false;
    }
    if (!isInScope(scope, change) || this.#deps.feed.includes(before, change)) return true;
    if (this.#handOver?.isOver(change) === true) this.#handOver = null;
    if (this.#handOver?.hasShown(change) === true) return true;
    const shown = shownChange(change, matches, sees);
    if (shown === null) return true;
    this.#cursor = this.#deps.feed.advance(before, change);
    this.#deps.onSent();
    return this.#write(event.bytes(shown, this.#cursor, shape));
  }

  #write(bytes: Uint8Array): boolean {
    this.sentAt = this.#deps.timers.now();
    return this.#sink.write(bytes);
  }

  /** Releases the room of what was kept. */
  #releaseKept(): void {
    this.#deps.kept.release(this.#keptBytes);
    this.#keptBytes = 0;
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => this.#sink.onDrain(resolve));
  }

  /** Reads again while the database is out: an outage delays a stream and does not end it. */
  #throughOutages<T>(read: () => Promise<T>): Promise<T> {
    return throughOutages(read, this.#deps.timers, () => this.#isOver);
  }
}
