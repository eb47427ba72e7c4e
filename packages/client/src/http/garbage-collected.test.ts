import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { timeoutFactor, until } from '@platform/development/testing';
import { createClient } from '../client.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A server whose answers begin and do not end. */
let server: Server;
let answers: ServerResponse[] = [];
beforeEach(async () => {
  answers = [];
  server = createServer((_request, response) => {
    answers.push(response);
    response.write('{"type":"BOOKMARK","cursor":"1"}\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Long enough for an answer to begin on a loaded machine. */
const patienceMs = 1_000 * timeoutFactor;

const client = () =>
  createClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 't',
    timeoutMs: patienceMs,
    retry: { attempts: 1 },
  });
const widgets = () => client().resources({ group: 'example.dev', version: 'v1', plural: 'widgets' });

/** Waits until the answer has begun, and makes Node.js forget what nothing holds. */
async function whenForgotten(): Promise<void> {
  await until(() => answers.length > 0);
  for (let round = 0; round < 10; round += 1) {
    await sleep(10);
    collectGarbage();
  }
}

// Accident: the garbage collector runs while a stream is open, and then neither a stop nor a silent connection ends it, because
// Node.js 20 forgets to pass the abort on to a body that is being read.
describe('after a garbage collection', () => {
  it('a stream ends when it is stopped, and so does its connection', async () => {
    const stop = new AbortController();
    const read = (async () => {
      for await (const _ of widgets().watch({ signal: stop.signal }));
    })();
    read.catch(() => undefined);
    await whenForgotten();
    const [answer] = answers;
    const closed = once(answer as ServerResponse, 'close');
    stop.abort();
    await expect(read).rejects.toMatchObject({ name: 'AbortError' });
    await closed;
  });

  it('a stream ends when nothing arrives any more', async () => {
    const read = (async () => {
      for await (const _ of widgets().watch({ silenceMs: patienceMs }));
    })();
    read.catch(() => undefined);
    await whenForgotten();
    await expect(read).rejects.toMatchObject({ code: 'timeout' });
  });

  it('a request ends when its answer takes too long', async () => {
    const read = widgets().get('one');
    read.catch(() => undefined);
    await whenForgotten();
    await expect(read).rejects.toMatchObject({ code: 'timeout' });
  });
});
