import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Answer, Headers, TextStream } from '../endpoint/answer.ts';
import { ClientGone } from './read-body.ts';
import { sendEarly } from './send-early.ts';
import { sendPushed } from './send-pushed.ts';

/** A text from this size on leaves V8's heap before it is sent. Below it, one write of header and text together is cheaper. */
export const offHeapBytes = 16_384;

/** The media type of ordinary answers. */
const jsonType = 'application/json; charset=utf-8';
/** The media type of RFC 9457. */
export const problemType = 'application/problem+json';

/**
 * Ends the response with a prepared text. `res.json` and `res.send` would serialize, hash and negotiate again, which costs more than the whole
 * rest of a read.
 */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers = {},
  contentType: string = jsonType,
): void {
  setHeaders(response, headers);
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  const bytes = Buffer.byteLength(text);
  response.setHeader('Content-Length', bytes);
  // Pure ASCII is the same in both; Latin-1 is copied instead of encoded (docs/decisions/0023-optimisations.md).
  const encoding = bytes === text.length ? 'latin1' : 'utf8';
  // A text stays in V8's young generation until the client has taken it, and is copied there meanwhile; bytes are not.
  if (bytes > offHeapBytes) response.end(Buffer.from(text, encoding));
  else response.end(text, encoding);
}

/** Ends the response with bytes of a media type. */
function sendBytes(
  response: ServerResponse,
  status: number,
  bytes: Buffer,
  headers: Headers,
  contentType: string,
): void {
  setHeaders(response, headers);
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': bytes.length }).end(bytes);
}

/** Ends the response without a body. */
function sendEmpty(response: ServerResponse, status: number, headers: Headers): void {
  setHeaders(response, headers);
  response.statusCode = status;
  // RFC 9110, section 8.6: a 204 must not have one, and that of a 304 would be the length of the 200.
  if (status !== 204 && status !== 304) response.setHeader('Content-Length', 0);
  response.end();
}

/** Sets headers; those that were set before stay. */
export function setHeaders(response: ServerResponse, headers: Headers): void {
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
}

/** Whether a read finds the client's copy current, so that 304 is enough (RFC 9110, section 13.1.2). */
export function isCurrent(request: IncomingMessage, etag: unknown): boolean {
  const wanted = request.headers['if-none-match'];
  if (wanted === undefined || typeof etag !== 'string') return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return wanted === '*' || wanted.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** Sends what a handler answered. Resolves when a stream has ended, or a pushed one has begun; throws what the stream threw, and `ClientGone`. */
export async function sendAnswer(request: Request, response: Response, answer: Answer): Promise<void> {
  const { status, body, headers = {}, contentType = jsonType } = answer;
  if (isCurrent(request, headers['ETag'])) sendEmpty(response, 304, headers);
  else if (body === undefined) sendEmpty(response, status, headers);
  else if (answer.early === true && typeof body === 'string') {
    sendEarly(request, response, status, body, { ...headers, 'Content-Type': contentType });
  } else if (typeof body === 'string') sendText(response, status, body, headers, contentType);
  else if (Buffer.isBuffer(body)) sendBytes(response, status, body, headers, contentType);
  else if ('open' in body) {
    setHeaders(response, headers);
    sendPushed(request, response, { status, contentType, body });
  } else await sendStream(request, response, { status, headers, contentType, body });
}

async function sendStream(
  request: Request,
  response: Response,
  { status, headers, contentType, body }: Required<Omit<Answer, 'early' | 'body'>> & { body: TextStream },
): Promise<void> {
  setHeaders(response, headers);
  response.writeHead(status, { 'Content-Type': contentType });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  // The client learns that its stream has begun, although the first event may come much later.
  response.flushHeaders();
  // One piece ahead: what a slow client has not taken stays with the source and not in memory.
  const source = Readable.from(body, { highWaterMark: 1 });
  try {
    await pipeline(source, response);
  } catch (error) {
    if (isClosedEarly(error)) throw new ClientGone();
    throw error;
  }
}

function isClosedEarly(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'ERR_STREAM_PREMATURE_CLOSE';
}
