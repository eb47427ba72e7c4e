import { connect } from 'node:net';
import { timeoutFactor } from '@platform/development/testing';

/** One answer as it came over the socket. */
export interface RawReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Sends bytes as they are, and reads the answers until the server closes; [] when it said nothing. `hangUp`: says that nothing
 * more will come, which a server may take as giving up.
 */
export function exchange(
  port: number,
  parts: readonly (string | Buffer)[],
  { hangUp }: { readonly hangUp: boolean },
): Promise<readonly RawReply[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const timer = setTimeout(
      () => socket.destroy(new Error('the server neither answers nor closes')),
      20_000 * timeoutFactor,
    );
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that has refused may close while the rest of a large body is still on its way.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') socket.destroy();
      else reject(error);
    });
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(repliesIn(Buffer.concat(chunks)));
    });
    for (const part of parts) socket.write(part);
    if (hangUp) socket.end();
  });
}

function repliesIn(bytes: Buffer): readonly RawReply[] {
  const replies: RawReply[] = [];
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd === -1) throw new Error(`not an answer: ${bytes.toString('latin1', at, at + 200)}`);
    const [statusLine = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n');
    const headers = new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const status = Number(statusLine.slice(9, 12));
    const length = Number(headers.get('content-length') ?? 0);
    // An answer to HEAD says how long the body would be, and the connection ends without it.
    const end = Math.min(headEnd + 4 + length, bytes.length);
    if (status >= 200) replies.push({ status, headers, body: bytes.toString('utf8', headEnd + 4, end) });
    at = end;
  }
  return replies;
}
