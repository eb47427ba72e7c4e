import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where a browser comes back to after a login (RFC 8252, section 7.3). */
export interface Loopback {
  readonly redirectUri: string;
  /** The parameters that it came back with, for this state. Rejects with the reason of the signal. */
  arrival(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

const page = (title: string, text: string) =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p>\n`;

/** Listens on a free port of 127.0.0.1. */
export async function listenOnLoopback(): Promise<Loopback> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    arrival: (state, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        server.on('request', (request, response: ServerResponse) => {
          const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
          // Attack: any page in the browser can send requests here. Without the state of this login they change nothing.
          if (pathname !== '/callback' || searchParams.get('state') !== state) {
            answer(response, 404, page('Nothing here', 'This is not the login that was started.'));
            return;
          }
          const failed = searchParams.has('error');
          answer(
            response,
            failed ? 400 : 200,
            failed
              ? page('Not logged in', 'The terminal says why.')
              : page('Logged in', 'You can close this window and go back to the terminal.'),
          );
          resolve(searchParams);
        });
      }),
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function answer(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'",
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  });
  response.end(html);
}
