import type { Socket } from 'node:net';
import type { Sink } from '@platform/change-log';
import type { Request, Response } from 'express';
import type { Answer, PushStream } from '../endpoint/answer.ts';
import { neverExpires } from './request-context.ts';

/** Begins a pushed stream, whose headers are set, and returns: what goes on is between the stream and the socket. */
export function sendPushed(
  request: Request,
  response: Response,
  {
    status,
    contentType,
    body,
  }: Required<Pick<Answer, 'status' | 'contentType'>> & { readonly body: PushStream },
): void {
  response.writeHead(status, { 'Content-Type': contentType });
  // A client that is gone, or asked for the headers alone, gets no events.
  if (request.method === 'HEAD' || response.closed) {
    body.open(nowhere).close();
    response.end();
    return;
  }
  response.flushHeaders();
  request.context.answeredAt = performance.now();
  // Emits `timeout` when nothing was written or accepted for so long, in place of the timeout of ordinary answers. It closes nothing by itself.
  response.socket?.setTimeout(body.stalledMs / stepsToCut);
  response.on('timeout', cutStalled);
  const { close } = body.open(new ResponseSink(response));
  response.on('close', close);
  letGo(request, response);
}

/** Shared by all streams, which read nothing of it. */
const nothing = Object.freeze({});

/**
 * Frees what only the beginning of a stream needed: node and express keep the request for as long as the response is open, with its
 * token and every closure of the way through the router. That was two thirds of the memory of a stream.
 */
function letGo(request: Request, response: Response): void {
  request.headers = nothing;
  request.rawHeaders = [];
  request.params = nothing;
  request.context.expiresAt = neverExpires;
  response.locals = nothing;
  // The router goes no further, and the URL is not parsed again.
  Object.assign(request, { next: undefined, _parsedUrl: undefined });
}

/**
 * A stalled client is cut after so many timeouts in a row. One would not do: Node.js passes over the first one when the client has
 * accepted a part of the last write, and waits for the whole time again.
 */
const stepsToCut = 4;

/** Streams whose last timeout found something that their client has not accepted. */
const stalls = new WeakMap<
  Response,
  { readonly at: number; readonly unsent: number; readonly steps: number }
>();

/** A client that has accepted everything is only waiting. */
function cutStalled(this: Response, socket: Socket): void {
  const [at, unsent, step] = [performance.now(), this.writableLength, socket.timeout ?? 0];
  const last = stalls.get(this);
  // Something was accepted in between when the length is another one, or when a timeout was passed over.
  const goesOn = last !== undefined && last.unsent === unsent && at - last.at < 1.5 * step;
  const steps = goesOn ? last.steps + 1 : 1;
  if (unsent === 0) stalls.delete(this);
  else if (steps >= stepsToCut) return void socket.destroy();
  else stalls.set(this, { at, unsent, steps });
  socket.setTimeout(step);
}

/** Writes to a response. */
class ResponseSink implements Sink {
  readonly #response: Response;

  constructor(response: Response) {
    this.#response = response;
  }

  write(bytes: Uint8Array): boolean {
    return this.#response.write(bytes);
  }

  get isBehind(): boolean {
    return this.#response.writableNeedDrain;
  }

  get isEmpty(): boolean {
    return this.#response.writableLength === 0;
  }

  onDrain(task: () => void): void {
    this.#response.once('drain', task);
  }

  end(): void {
    this.#response.end();
  }
}

const nowhere: Sink = {
  write: () => true,
  isBehind: false,
  isEmpty: true,
  onDrain: () => undefined,
  end: () => undefined,
};
