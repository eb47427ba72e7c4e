import type { Sink } from '@platform/change-log';
import type { KeptAnswer } from '@platform/resources';

/** Headers of an answer, by name. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** A text in pieces, made as fast as the client reads them. */
export type TextStream = AsyncIterable<string>;

/**
 * A body that is pushed: for streams that mostly wait, of which there are many. Only their connection stays in memory, and nothing of the
 * framework.
 */
export interface PushStream {
  /** Begins to write. `close` is called once when the response has ended or the client is gone. */
  open(sink: Sink): { close(): void };
  /** A client that accepts no byte for this long is disconnected, in milliseconds. */
  readonly stalledMs: number;
}

/** The answer of a handler; the framework sends it. */
export interface Answer {
  readonly status: number;
  /** Text and bytes are sent whole, with their length; a stream until it ends. Absent: no body. */
  readonly body?: string | Buffer | TextStream | PushStream;
  /** The media type of the body; JSON unless given. */
  readonly contentType?: string;
  /** With an `ETag`, a GET that has it in `If-None-Match` is answered 304. */
  readonly headers?: Headers;
  /** Whether the client may still be sending the body: the answer is sent first, then the connection closed. */
  readonly early?: boolean;
}

/** An answer whose body is a text. */
export interface TextAnswer extends Answer {
  readonly body: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A value as JSON, for answers without stored documents. */
export function json(status: number, value: unknown, headers: Headers = {}): Answer {
  return { status, body: JSON.stringify(value), headers };
}

/** An answer without a body. */
export function empty(status: number, headers: Headers = {}): Answer {
  return { status, headers };
}

/** An answer as it is kept for a repeated request. */
export function keptAnswer({ status, body, headers = {} }: Answer): KeptAnswer {
  if (typeof body !== 'string') throw new Error('only texts can be kept');
  return { status, body, headers: headers as KeptAnswer['headers'] };
}

/** Sends the browser on, with 303 unless told. The URL may hold a code, so that no body repeats it and no `Referer` carries it. */
export function redirect(location: string, headers: Headers = {}, status: 302 | 303 = 303): Answer {
  return { status, headers: { ...headers, Location: location, 'Referrer-Policy': 'no-referrer' } };
}

/**
 * A text that goes on. The stream is read only as fast as the client takes it, and returned when the client is gone; it must
 * also end when `call.signal` aborts, since a stream that waits cannot be interrupted. Throw refusals before returning it:
 * an error of the stream itself can only cut the connection.
 */
export function stream(source: TextStream | PushStream, contentType: string, headers: Headers = {}): Answer {
  // nginx would otherwise collect the stream before it hands it on.
  return { status: 200, body: source, contentType, headers: { 'X-Accel-Buffering': 'no', ...headers } };
}
