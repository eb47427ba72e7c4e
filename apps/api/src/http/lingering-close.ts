import type { IncomingMessage, ServerResponse } from 'node:http';

const lingerBytes = 8 * 1024 * 1024;
const lingerMs = 2_000;

/**
 * Answers a request whose body is not read to its end, and closes the connection.
 *
 * Closing a socket with unread bytes makes the kernel send a reset, which can destroy the answer before the client
 * has read it (RFC 9112, section 9.6). So the whole answer is sent first, then a bounded rest of the body is thrown
 * away, then the connection is closed: a client that never stops sending gets neither memory nor time.
 */
export function sendThenClose(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text), Connection: 'close' });
  response.write(text);
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
