import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { sendPushed } from './send-pushed.ts';

const stalledMs = 1_000;
/** More than the buffers of both sockets, so that a part of it is accepted and the rest is not. */
const large = Buffer.alloc(64 * 1024 * 1024, 'x');

describe('a pushed stream', () => {
  it('cuts off a client that has accepted a part of the last write and then nothing for the time', async () => {
    let tell: (after: number) => void = () => undefined;
    const cut = new Promise<number>((resolve) => {
      tell = resolve;
    });
    const server = createServer((request, response) => {
      const body = {
        stalledMs,
        open(sink: { write(bytes: Uint8Array): boolean }) {
          sink.write(large);
          const since = performance.now();
          return { close: () => tell(performance.now() - since) };
        },
      };
      Object.assign(request, { context: {} });
      sendPushed(request as never, response as never, { status: 200, contentType: 'text/plain', body });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const after = await cut;
    client.destroy();
    server.close();
    expect(after).toBeGreaterThanOrEqual(stalledMs * 0.99);
    expect(after).toBeLessThan(stalledMs * 1.75);
  });
});
