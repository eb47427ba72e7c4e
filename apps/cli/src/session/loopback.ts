import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { html, isSameSecret, page, style } from '@platform/kernel';

/** The redirect target of a login in the browser (RFC 8252 section 7.3). */
export interface Loopback {
  readonly redirectUri: string;
  /** The query parameters of the redirect with this state. Rejects with the reason of the signal. */
  redirect(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:`;

/** Listens on a free port of 127.0.0.1. */
export async function listenOnLoopback(): Promise<Loopback> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    redirect: (state, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        server.on('request', (request, response: ServerResponse) => {
          const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
          // Attack: any page in the browser can send requests here. Without the state of this login they are rejected.
          if (pathname !== '/callback' || !isSameSecret(searchParams.get('state') ?? '', state)) {
            send(response, 404, page('Not found', html`<p>This address belongs to another login.</p>`));
            return;
          }
          const failed = searchParams.has('error');
          send(
            response,
            failed ? 400 : 200,
            failed
              ? page('Login failed', html`<p>The terminal shows the reason.</p>`)
              : page('Logged in', html`<p>You can close this window and return to the terminal.</p>`),
          );
          resolve(searchParams);
        });
      }),
    close() {
      server.close();
      // Once an answer that was just given is with the kernel. Browsers open connections in advance, which would keep this process alive.
      setImmediate(() => server.closeAllConnections());
    },
  };
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  });
  response.end(html);
}
