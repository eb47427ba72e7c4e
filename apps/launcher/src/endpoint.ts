import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ListenAddress } from '@platform/config';

/** The URL of `listen` on this machine; a wildcard address is reached over loopback. */
export function localAddress({ host, port }: ListenAddress): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Waits until the API is ready; false if `signal` aborts. Calls `slow` every ten seconds with the latest response. */
export async function untilReady(
  address: string,
  slow: (answer: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  let remindAt = performance.now() + 10_000;
  for (;;) {
    const answer = await readiness(address);
    if (signal.aborted) return false;
    if (answer === '200') return true;
    if (performance.now() > remindAt) {
      slow(answer);
      remindAt = performance.now() + 10_000;
    }
    await delay(50);
  }
}

function readiness(address: string): Promise<string> {
  return new Promise((resolve) => {
    const request = get(`${address}/readyz`, { agent: false, timeout: 5_000 }, (response) => {
      response.resume();
      response.once('end', () => resolve(String(response.statusCode)));
      response.once('error', () => resolve('a broken response'));
    });
    request.once('timeout', () => request.destroy());
    request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'no response'));
  });
}
