import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Answer, TextStream } from '../endpoint/answer.ts';
import { sendThenClose } from './lingering-close.ts';
import { ClientGone } from './read-body.ts';
import { isCurrent, jsonType, sendBytes, sendEmpty, sendText, setHeaders } from './send.ts';
import { sendPushed } from './send-pushed.ts';

/** Sends what a handler answered. Resolves when a stream has ended, or a pushed one has begun; throws what the stream threw, and `ClientGone`. */
export async function sendAnswer(request: Request, response: Response, answer: Answer): Promise<void> {
  const { status, body, headers = {}, contentType = jsonType } = answer;
  if (isCurrent(request, headers['ETag'])) sendEmpty(response, 304, headers);
  else if (body === undefined) sendEmpty(response, status, headers);
  else if (answer.closes === true && typeof body === 'string') {
    sendThenClose(request, response, status, body, { ...headers, 'Content-Type': contentType });
  } else if (typeof body === 'string') sendText(response, status, body, headers, contentType);
  else if (Buffer.isBuffer(body)) sendBytes(response, status, body, headers, contentType);
  else if ('open' in body) sendPushed(request, response, { status, headers, contentType, body });
  else await sendStream(request, response, { status, headers, contentType, body });
}

async function sendStream(
  request: Request,
  response: Response,
  { status, headers, contentType, body }: Required<Omit<Answer, 'closes' | 'body'>> & { body: TextStream },
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
