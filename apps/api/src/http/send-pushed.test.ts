import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendPushed } from './send-pushed.ts';

const body = (stalledMs: number, write?: Uint8Array) => ({
  stalledMs,
  open(sink: { write(bytes: Uint8Array): boolean }) {
    if (write !== undefined) sink.write(write);
    return { close: () => undefined };
  },
});

/** A response whose timeouts the test makes. */
class FakeResponse extends EventEmitter {
  writableLength = 0;
  cut = false;
  readonly socket = {
    timeout: 0,
    setTimeout: (ms: number) => {
      this.socket.timeout = ms;
    },
    destroy: () => {
      this.cut = true;
    },
  };
  writeHead() {}
  flushHeaders() {}

  /** Whether the stream is cut after a timeout with so many bytes that the client has not accepted. */
  cutAfter(unsent: number): boolean {
    this.writableLength = unsent;
    this.emit('timeout', this.socket);
    return this.cut;
  }
}

function streamOf(stalledMs: number): FakeResponse {
  const response = new FakeResponse();
  const answer = { status: 200, contentType: 'text/plain', body: body(stalledMs) };
  sendPushed({ context: {} } as never, response as never, answer);
  return response;
}

describe('a pushed stream', () => {
  it('is cut when four timeouts in a row, together the time of a stalled client, find the same bytes', () => {
    const response = streamOf(60_000);
    expect(response.socket.timeout).toBe(15_000);
    expect([9, 9, 9].map((unsent) => response.cutAfter(unsent))).toEqual([false, false, false]);
    expect(response.cutAfter(9)).toBe(true);
  });

  it('goes on while the client accepts something, or everything', () => {
    const response = streamOf(60_000);
    const unsent = [9, 9, 9, 8, 8, 8, 0, 8, 8, 8, 0, 0, 0, 0, 0];
    expect(unsent.filter((bytes) => response.cutAfter(bytes))).toEqual([]);
  });

  it('goes on when a timeout is passed over, since something was accepted then', async () => {
    const response = streamOf(8);
    for (let count = 0; count < 6; count += 1) {
      expect(response.cutAfter(9)).toBe(false);
      await sleep(10);
    }
  });

  it('is cut when a real client accepts a part of the last write and then nothing', async () => {
    // More than the buffers of both sockets.
    const large = Buffer.alloc(64 * 1024 * 1024, 'x');
    const server = createServer((request, response) => {
      Object.assign(request, { context: {} });
      const answer = { status: 200, contentType: 'text/plain', body: body(2_000, large) };
      sendPushed(request as never, response as never, answer);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [socket] = (await once(server, 'connection')) as [EventEmitter];
    await once(socket, 'close');
    client.destroy();
    server.close();
  });
});
