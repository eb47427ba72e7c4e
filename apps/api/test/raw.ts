import { connect } from 'node:net';
import type { TestApi } from './api.ts';

/** The answer on a bare socket. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are and reads until the server closes: for what no HTTP client would send. */
export function sendRaw(api: TestApi, ...parts: readonly (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const split = text.indexOf('\r\n\r\n');
      resolve({ status: Number(text.slice(9, 12)), head: text.slice(0, split), body: text.slice(split + 4) });
      socket.destroy();
    });
    for (const part of parts) socket.write(part);
  });
}

/** A request of an operator for a raw target, after which the connection closes. */
export function rawRequest(method: string, target: string, headers: readonly string[] = []): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: platform.test',
    'Authorization: Bearer operator',
    'Connection: close',
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
