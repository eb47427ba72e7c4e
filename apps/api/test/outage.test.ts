import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { testDatabase, timeoutFactor } from '@platform/development/testing';
import { migrate, openStore } from '@platform/store-postgres';
import { ServiceState } from '../src/process/readiness.ts';
import { TestApi } from './api.ts';
import { organizations } from './kinds.ts';

/** A connection to the database that can be cut and restored; its address stays. */
class Wire {
  #server: Server | undefined;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  /** Whether the next answers are lost, with their connections. */
  losing = false;
  readonly #target: () => URL;

  constructor(target: () => URL) {
    this.#target = target;
  }

  get url(): string {
    const url = new URL(this.#target());
    url.host = `127.0.0.1:${this.#port}`;
    return url.href;
  }

  async restore(): Promise<void> {
    const { hostname, port } = this.#target();
    this.#server = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => other.destroy());
        socket.on('data', (chunk) => {
          if (this.losing && socket === far) near.destroy();
          else other.write(chunk);
        });
      }
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

let api: TestApi;
const wire = new Wire(() => new URL(database.url));
afterAll(async () => {
  await api.stop();
  await wire.cut();
});
const database = testDatabase({ migrate: (url) => migrate({ url }) });

beforeAll(async () => {
  await wire.restore();
  const store = openStore({ url: wire.url, poolMax: 2, connectTimeoutMs: 1_000 * timeoutFactor });
  const state = new ServiceState(() => store.ping());
  state.prepared();
  api = await new TestApi({
    store: () => ({ ...store, removeRow: async () => {} }),
    parts: { readiness: state },
  }).start();
});

/** Asks until the answer has the status; the driver finds out by itself when the database is back. */
async function until(status: number, path: string): Promise<void> {
  for (;;) if ((await api.send('GET', path)).status === status) return;
}

describe('while the database cannot be reached', () => {
  it('requests are 503 with Retry-After, the process lives, and both end by themselves', async () => {
    const path = `/api/v1/resources/${organizations}`;
    await api.send('GET', path).expect(200);
    await api.send('GET', '/readyz').expect(200);
    await wire.cut();
    const answer = await api.send('GET', path).expect(503);
    expect(answer.body.code).toBe('unavailable');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    const ready = await api.send('GET', '/readyz').expect(503);
    expect(ready.body.reasons).toEqual(['the database cannot be reached']);
    await api.send('GET', '/healthz').expect(200);
    expect((await api.send('GET', '/kubernetes/readyz', null).expect(503)).text).toBe(ready.body.reasons[0]);
    await api.send('GET', '/kubernetes/livez', null).expect(200);
    await wire.restore();
    await until(200, path);
    await api.send('GET', '/kubernetes/readyz', null).expect(200);
    await api.send('GET', '/readyz').expect(200);
  });
});

describe('while answers of the database are lost', () => {
  it('a write is 503 outcome_unknown without Retry-After, is done once, and reads are unavailable', async () => {
    const path = `/api/v1/resources/${organizations}`;
    const organization = (name: string) => ({
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'Organization',
      metadata: { name },
      spec: {},
    });
    // Prepares the statement: the answer that is lost is that of its execution then.
    await api.post(organizations, organization('first')).expect(201);
    wire.losing = true;
    const write = await api.post(organizations, organization('acme'));
    const read = await api.send('GET', path);
    wire.losing = false;
    expect([write.status, write.body.code, write.headers['retry-after']]).toEqual([
      503,
      'outcome_unknown',
      undefined,
    ]);
    expect([read.status, read.body.code, read.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
    await until(200, `${path}/acme`);
    const found = await api.send('GET', `${path}/acme`).expect(200);
    expect(found.body.metadata.revision).toBe(1);
  });
});
