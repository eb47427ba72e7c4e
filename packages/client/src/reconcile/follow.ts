import { type BackOff, backOffDelay } from '../http/backoff.ts';
import { isPlatformError } from '../http/platform-error.ts';
import type { Resource } from '../model/resource.ts';
import type { WatchEvent } from '../model/watch-event.ts';
import { sleep, type Timers } from '../timers.ts';

/** A source of events: a stream that begins with the present state, or goes on after a cursor. */
export type EventSource = (
  cursor: string | undefined,
  signal: AbortSignal,
) => AsyncIterable<WatchEvent<unknown, unknown>>;

/** Keeps the state that a stream reports. */
export interface StateHandler {
  /** A resource of the initial state, or one that appeared or changed. */
  changed(resource: Resource): void;
  removed(resource: Resource): void;
  /** The initial state follows. It may be earlier than what was seen, after a restore or a failover of the platform. */
  restarted(): void;
  /** The initial state is complete: whatever it did not contain no longer exists. */
  replaced(uids: ReadonlySet<string>): void;
}

/** How a stream is followed. */
export interface FollowOptions {
  readonly source: EventSource;
  readonly handler: StateHandler;
  readonly signal: AbortSignal;
  readonly timers: Timers;
  readonly backOff: BackOff;
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly onState?: ((state: 'connected' | 'interrupted') => void) | undefined;
}

/**
 * The longest pause before the next stream when the last one had events, in milliseconds. The server ends streams from time to time; a proxy
 * may end each after its first event, and must not be asked without pause.
 */
const mostBetweenStreamsMs = 100;

/**
 * Follows a source until `signal` is aborted: it goes on after the last event when a stream ends or breaks off, and begins again when the
 * log no longer reaches back to it. Resolves with false when the server does not know streams.
 */
export async function follow(options: FollowOptions): Promise<boolean> {
  const { signal, timers, backOff, onError, onState } = options;
  const position: Position = { cursor: undefined, isKnown: false };
  let failures = 0;
  while (!signal.aborted) {
    let heard = 0;
    try {
      heard = await readStream(options, position, () => {
        failures = 0;
      });
    } catch (error) {
      if (signal.aborted) break;
      if (!position.isKnown && isUnsupported(error)) return false;
      if (isPlatformError(error, 'cursor_expired', 'invalid_query')) position.cursor = undefined;
      failures += 1;
      onState?.('interrupted');
      onError?.(error);
    }
    // A stream without any event counts as a failure.
    if (failures === 0 && heard === 0) failures = 1;
    const delay = backOffDelay(backOff, Math.max(1, failures), timers.random());
    await sleep(timers, failures === 0 ? Math.min(delay, mostBetweenStreamsMs) : delay, signal).catch(
      () => undefined,
    );
  }
  return true;
}

interface Position {
  cursor: string | undefined;
  /** Whether the source has ever answered. */
  isKnown: boolean;
}

/** Reads one stream to its end. Resolves with the number of its events. */
async function readStream(
  { source, handler, signal, onState }: FollowOptions,
  position: Position,
  onProgress: () => void,
): Promise<number> {
  const initial = position.cursor === undefined ? new Set<string>() : null;
  let heard = 0;
  for await (const event of source(position.cursor, signal)) {
    heard += 1;
    if (heard === 1) {
      if (initial !== null) handler.restarted();
      position.isKnown = true;
      onState?.('connected');
    }
    onProgress();
    if (event.type !== 'BOOKMARK') {
      initial?.add(event.object.metadata.uid);
      if (event.type === 'DELETED') handler.removed(event.object);
      else handler.changed(event.object);
    } else if (event.initial === true && initial !== null) handler.replaced(initial);
    // Without a cursor the initial state is not complete: an interrupted stream begins again.
    if (event.cursor !== undefined) position.cursor = event.cursor;
  }
  return heard;
}

/** Servers of earlier versions refuse the query, or take the `-` of a watch across parents for a name. */
function isUnsupported(error: unknown): boolean {
  return isPlatformError(error, 'invalid_query', 'not_found');
}
