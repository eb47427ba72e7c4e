import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { timeoutFactor, until as untilTrue } from '@platform/development/testing';
import { run } from '../src/run.ts';
import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();
const sites = { group: 'sites.example', version: 'v1', plural: 'sites' };

beforeAll(async () => {
  await registerSites(cli);
  await given(cli, 'blog');
});

/** Runs a command until its output contains a text, then presses Ctrl-C. */
async function until(words: string, text: string, work: () => Promise<unknown>): Promise<string> {
  const terminal = cli.terminal();
  const running = run(words.split(' '), terminal);
  const printed = async (part: string, meanwhile: () => Promise<unknown> = async () => {}) => {
    const end = Date.now() + 10_000 * timeoutFactor;
    while (!terminal.stdout.includes(part)) {
      if (Date.now() > end) throw new Error(`not printed: ${part}\n${terminal.stdout}${terminal.stderr}`);
      await meanwhile();
      await delay(20);
    }
  };
  // `events` prints nothing for the state at the beginning: changes of another site show when it follows.
  if (words.startsWith('events')) await printed('site/blog', changeBlog);
  else await printed('\n');
  await work();
  await printed(text);
  terminal.interrupt();
  await running;
  return terminal.stdout;
}

let changes = 0;
const changeBlog = () => {
  changes += 1;
  return cli.operator.resources(sites).setStatus('blog', { changes });
};

describe('platform get --watch', () => {
  it('shows what there is, then every change, until Ctrl-C', async () => {
    const out = await until('get sites --watch', 'site/shop removed', async () => {
      await given(cli, 'shop');
      await cli.operator.resources(sites).delete('shop');
    });
    expect(out).toMatch(/^NAME .*\nblog .*\nshop .*\nsite\/shop removed\n$/);
  });
});

describe('platform get --watch over a connection that breaks', () => {
  /** Passes requests on to the API, and cuts the first stream after the first line of the initial state. */
  async function cuttingProxy() {
    let streams = 0;
    const pass = async (request: IncomingMessage, response: ServerResponse) => {
      const { authorization = '' } = request.headers;
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      const answer = await fetch(`${cli.api.publicUrl}${request.url}`, {
        headers: { authorization },
        signal: gone.signal,
      });
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' });
      const isCut = request.url?.includes('watch=true') === true && ++streams === 1;
      for await (const chunk of answer.body ?? []) {
        const text = Buffer.from(chunk).toString();
        if (!isCut) response.write(text);
        else {
          response.write(text.slice(0, text.indexOf('\n') + 1), () => response.destroy());
          return;
        }
      }
      response.end();
    };
    const server = createServer((request, response) => {
      pass(request, response).catch(() => response.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return {
      server,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      streams: () => streams,
    };
  }

  it('shows each resource once when the initial state was interrupted', async () => {
    await given(cli, 'alpha');
    const proxy = await cuttingProxy();
    const terminal = cli.terminal({ env: { PLATFORM_URL: proxy.url } });
    const running = run(['get', 'sites', '--watch', '-o', 'name'], terminal);
    await untilTrue(() => terminal.stdout.includes('site/blog'));
    terminal.interrupt();
    await running;
    expect([terminal.stdout, proxy.streams()]).toEqual(['site/alpha\nsite/blog\n', 2]);
    proxy.server.closeAllConnections();
    proxy.server.close();
    await cli.operator.resources(sites).delete('alpha');
  });
});

describe('platform wait', () => {
  it('ends when the state is there, at once or later', async () => {
    expect(await cli.ok('wait site/blog --for=create')).toBe('site/blog exists\n');
    expect(await cli.ok('wait site/ghost --for=delete')).toBe('site/ghost deleted\n');
    const waiting = cli.ok('wait site/blog --for=condition=Ready');
    const conditions = [{ type: 'Ready', status: 'True' }];
    await cli.operator.resources(sites).setStatus('blog', { conditions });
    expect(await waiting).toBe('site/blog condition met\n');
  });

  it('for a resource whose parent does not exist yet', async () => {
    const waiting = cli.ok('wait section/later/news --for=create');
    await given(cli, 'later');
    await given(cli, 'later/news');
    expect(await waiting).toBe('section/later/news exists\n');
    const never = await cli.run('wait section/never/news --for=create --timeout=0.5s');
    expect(never.code).toBe(9);
  });

  it('fails when the time is over, or there is nothing to wait for', async () => {
    const late = await cli.run('wait site/blog --for=condition=Synced --timeout=0.5s');
    expect([late.code, late.err]).toEqual([
      9,
      expect.stringContaining('timed out waiting for condition=Synced'),
    ]);
    const once = await cli.run('wait site/blog --for=delete --timeout=0');
    expect(once.code).toBe(9);
    const missing = await cli.run('wait site/ghost --for=condition=Ready');
    expect([missing.code, missing.err]).toEqual([5, expect.stringContaining('site/ghost does not exist')]);
  });
});

/** Passes connections on to the API until it is switched off. */
class SwitchedProxy {
  readonly #sockets = new Set<Socket>();
  #server = createTcpServer();
  #streams = 0;

  /** The streams that the API has begun to answer. */
  get streams(): number {
    return this.#streams;
  }

  /** Serves on a port, a free one for 0, and returns it. */
  async on(port: number): Promise<number> {
    this.#server = createTcpServer((socket) => {
      const api = connect(Number(new URL(cli.api.publicUrl).port), '127.0.0.1');
      let isStream = false;
      socket.on('data', (data) => {
        isStream ||= data.includes('watch=true');
      });
      api.on('data', () => {
        if (isStream) this.#streams += 1;
      });
      for (const one of [socket, api]) this.#sockets.add(one.on('error', () => one.destroy()));
      socket.pipe(api).pipe(socket);
    });
    await once(this.#server.listen(port, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  off(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

describe('platform events -f', () => {
  it('shows who changes what, of everything or of one kind', async () => {
    const work = () => given(cli, 'news');
    const out = await until('events -f', 'site/news@1', work);
    expect(out).toMatch(/^\S+Z {2}create {2}site\/news@1 {2}by operator \S+\n$/m);
    const removal = () => cli.operator.resources(sites).delete('news');
    expect(await until('events sites -f', 'site/news@1', removal)).toContain('delete (removed)');
  });

  const words = ['events -f', 'events sites -f', 'get sites -w', 'wait site/blog --for=delete -t 5m'];
  it.each([...words, 'wait section/never/news --for=create -t 5m'])(
    '%s says when the platform is away, and when it answers again',
    async (words) => {
      const proxy = new SwitchedProxy();
      const port = await proxy.on(0);
      const terminal = cli.terminal({ env: { PLATFORM_URL: `http://127.0.0.1:${port}` } });
      const running = run(words.split(' '), terminal);
      await untilTrue(() => proxy.streams > 0);
      proxy.off();
      await untilTrue(() => terminal.stderr.includes('trying again'));
      await proxy.on(port);
      await untilTrue(() => terminal.stderr.includes('answers again'));
      terminal.interrupt();
      await running;
      expect(terminal.stderr).toMatch(
        /^cannot reach http:\S+: .*; trying again\nThe platform answers again\.\n/,
      );
      proxy.off();
    },
  );

  it.each(['events -f', 'events sites -f'])('%s says that the platform cannot be reached', async (words) => {
    const { code, err } = await cli.run(`--url http://127.0.0.1:3 ${words}`, {
      env: { PLATFORM_TOKEN: 'x' },
    });
    expect([code, err]).toEqual([8, expect.stringContaining('cannot reach http://127.0.0.1:3')]);
  });
});

describe('platform get --watch with a selector', () => {
  const label = (name: string, labels: object) =>
    cli.operator.resources(sites).patch(name, { metadata: { labels } });

  it('shows what matches, and tells what no longer does from what was removed', async () => {
    const out = await until('get sites --watch -l tier=web', 'site/mall removed', async () => {
      await given(cli, 'mall');
      await label('mall', { tier: 'web' });
      await label('mall', { tier: null });
      await label('blog', { team: 'x' });
      await label('mall', { tier: 'web' });
      await cli.operator.resources(sites).delete('mall');
    });
    expect(out).toMatch(/^[^\n]*\nmall .*\nsite\/mall no longer matches\nmall .*\nsite\/mall removed\n$/);
  });

  it('calls a resource that waits for its removal one that no longer matches', async () => {
    await given(cli, 'held');
    await cli.operator.resources(sites).changeFinalizers('held', { add: ['a.example/hold'] });
    const command = 'get sites --watch -o name --field-selector metadata.deletionTimestamp=';
    await until(command, 'site/held no longer matches\n', () => cli.operator.resources(sites).delete('held'));
    await cli.operator.resources(sites).changeFinalizers('held', { remove: ['a.example/hold'] });
  });
});
