import {
  type BeginDeps,
  type Beginning,
  type Dialect,
  mediaTypes,
  type Sink,
  type Stream,
  type StreamSettings,
  type Timers,
  type Watches,
} from '@platform/change-log';
import { type Clock, Problem } from '@platform/kernel';
import type { JsonText } from '@platform/resources';
import type { Principal } from '@platform/tokens';
import { type Answer, stream } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { renderProblem } from '../../http/send-problem.ts';
import type { WatchParameters } from './parameters.ts';

/** The streams of this process, and what their beginning needs. */
export interface WatchService extends BeginDeps {
  readonly watches: Watches;
  readonly timers: Timers;
  readonly clock: Clock;
  /** Calls `ended` once when the session of the principal ends before it expires. Returns how to stop listening. */
  readonly onSessionEnd: (principal: Principal | null, ended: () => void) => () => void;
  /** A client that accepts nothing for this long is disconnected, in milliseconds. */
  readonly stalledMs: number;
}

/** One request for a stream. */
export interface StreamRequest {
  readonly parameters: WatchParameters;
  /** Names the caller, for the limit of each. */
  readonly caller: string;
  /** The version in which resources are shown; null for the stored one. */
  readonly version: string | null;
  /** Whether the caller may see a resource; null for a caller who may see everything that the target names. */
  readonly sees: Stream['sees'];
  /** Instead of the events of the resource API. */
  readonly dialect?: Dialect;
  /** The document of a refusal that ends the stream; that of RFC 9457 unless told. */
  readonly renderProblem?: (problem: Problem) => JsonText;
  /** Finds where the stream begins. Its refusals are ordinary answers. */
  readonly begin: (cursor: string | null) => Promise<Beginning>;
  /** Throws when the caller may no longer watch. */
  readonly check: () => Promise<void>;
}

/** By default a stream ends after 30 to 60 minutes, so that clients spread over the replicas again. */
const defaultMs = { least: 30 * 60_000, spread: 30 * 60_000 };

/** The answer that streams. Throws what `begin` throws, and `rate_limited` or `unavailable` when there are too many streams. */
export async function streamAnswer(
  service: WatchService,
  call: Call,
  request: StreamRequest,
): Promise<Answer> {
  const { parameters, caller, version, sees, begin, check, dialect } = request;
  const { format, matches, view } = parameters;
  const admission = service.watches.admit(caller);
  let beginning: Beginning | null;
  try {
    beginning = await begin(parameters.cursor);
  } catch (error) {
    service.watches.release(admission);
    throw error;
  }
  const { id, path, expiresAt, principal } = call.context;
  // Member by member: objects that are spread into one another take twice the memory, and there are many streams.
  const opened: StreamSettings = {
    requestId: id,
    scope: beginning.scope,
    shape: { format, version, view, ...(dialect === undefined ? {} : { dialect }) },
    matches,
    sees,
    renderProblem: request.renderProblem ?? ((problem): JsonText => renderProblem(problem, { id, path })),
    check: () => check().then(() => null, refusalIn),
    expiresAt: expiryOf(service, expiresAt()),
    endsAt: service.timers.now() + lifetimeOf(service, parameters),
  };
  const body = {
    stalledMs: service.stalledMs,
    open(sink: Sink) {
      if (beginning === null) throw new Error('a stream is opened once');
      const watcher = service.watches.open(admission, opened, { start: beginning.start, sink });
      // Otherwise the first page of resources would stay in memory for as long as the stream.
      beginning = null;
      const stop = service.onSessionEnd(principal, () => watcher.fail(sessionEnded()));
      return {
        close() {
          stop();
          watcher.close();
        },
      };
    },
  };
  // Transforming proxies compress, and hold events back until a block is full.
  return stream(body, dialect?.mediaType ?? mediaTypes[format], {
    'Cache-Control': 'private, no-cache, no-transform',
  });
}

function sessionEnded(): Problem {
  return new Problem('unauthenticated', 'The session has ended.');
}

function lifetimeOf({ timers }: WatchService, { timeoutSeconds }: WatchParameters): number {
  return timeoutSeconds === null
    ? defaultMs.least + timers.random() * defaultMs.spread
    : timeoutSeconds * 1_000;
}

/** In milliseconds of the timers. */
function expiryOf({ timers, clock }: WatchService, seconds: number | null): number | null {
  return seconds === null ? null : timers.now() + seconds * 1_000 - clock.now();
}

/** Throws a failure to check again: an outage is no refusal. */
function refusalIn(error: unknown): Problem {
  if (error instanceof Problem && error.status < 500) return error;
  throw error;
}
