import type { Request, Response } from 'express';

const lingerBytes = 8 * 1024 * 1024;
const lingerMs = 2_000;

/**
 * Answers a request whose client may still be sending the body. If it is, the connection is closed.
 *
 * Closing a socket with unread bytes makes the kernel send a reset, which can destroy the answer before the client
 * has read it (RFC 9112, section 9.6). So the whole answer is sent first, then a bounded rest of the body is thrown
 * away, then the connection is closed: a client that never stops sending gets neither memory nor time.
 */
export function sendEarly(
  request: Request,
  response: Response,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  const length = { 'Content-Length': Buffer.byteLength(text) };
  if (request.complete) {
    response.writeHead(status, { ...headers, ...length }).end(text);
    return;
  }
  response.writeHead(status, { ...headers, ...length, Connection: 'close' });
  response.write(text);
  request.context.answeredAt = performance.now();
  let discarded = 0;
  const finish = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(finish, lingerMs);
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > lingerBytes) finish();
  });
  request.once('end', finish);
  request.once('close', finish);
  request.resume();
}
