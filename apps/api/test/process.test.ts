import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { migrate } from '@platform/store-postgres';
import { buildOnce, testDatabase } from '@platform/testkit';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const main = `${root}apps/api/dist/main.js`;
const database = testDatabase({ migrate: (url) => migrate({ url }) });

let running: ChildProcess[] = [];

// The process is run as it is shipped: compiled.
beforeAll(() => buildOnce(), 120_000);

afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(running.map((child) => ended(child)));
  running = [];
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the API as the launcher does: on a free port, with a channel to this process. */
async function start(changes: Record<string, string> = {}): Promise<ChildProcess> {
  const child = fork(main, {
    cwd: '/',
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      PLATFORM__DATABASE__URL: database.url,
      PLATFORM__SERVER__LISTEN: `127.0.0.1:${await freePort()}`,
      PLATFORM__SERVER__PUBLIC_URL: 'http://localhost:1',
      PLATFORM__SERVER__JWT_SIGNING_SECRET: Buffer.alloc(32).toString('base64'),
      PLATFORM__ENCRYPTION__KEYS: `[{id: k, key: ${Buffer.alloc(32).toString('base64')}}]`,
      ...changes,
    },
  });
  running.push(child);
  return child;
}

async function ready(child: ChildProcess): Promise<string> {
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])]);
  if (message === undefined) throw new Error('the process ended before it was ready');
  return `http://127.0.0.1:${message.port}`;
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const [code] = await once(child, 'exit');
  return code;
}

describe('the API process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'tells its launcher when it serves, and ends with 0 on %s',
    async (signal) => {
      const child = await start();
      const url = await ready(child);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      child.kill(signal);
      expect(await ended(child)).toBe(0);
    },
  );

  it('ends when its launcher has gone', async () => {
    const child = await start();
    await ready(child);
    child.disconnect();
    expect(await ended(child)).toBe(0);
  });

  it('serves with several workers as one, and stops them all', async () => {
    const child = await start({ PLATFORM__SERVER__WORKERS: '2' });
    const url = await ready(child);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    // Two pools of ten: the metrics are those of both.
    expect(metrics).toContain('platform_api_database_connections{state="max"} 20');
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it('does not start with a bad configuration, and says each fault', async () => {
    const child = await start({ PLATFORM__SERVER__WORKERS: 'many', PLATFORM__DATABASE__POOL_MAX: '0' });
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    expect(await ended(child)).toBe(1);
    expect(said).toContain('server.workers');
    expect(said).toContain('database.pool_max');
  });

  it('does not start when Organizations exist and the default one is none of them', async () => {
    await ready(await start());
    const child = await start({ PLATFORM__DEFAULT_ORGANIZATION__NAME: 'other' });
    let said = '';
    child.stdout?.on('data', (chunk) => {
      said += chunk;
    });
    expect(await ended(child)).toBe(1);
    expect(said).toContain('default_organization.name is other');
  });

  it('is alive but not ready while the database is away', async () => {
    const away = new URL(database.url);
    away.port = '1';
    const child = await start({ PLATFORM__DATABASE__URL: away.href });
    let said = '';
    const listening = new Promise<string>((resolve) => {
      child.stdout?.on('data', (chunk) => {
        said += chunk;
        const port = /"listening".*"port":(\d+)/.exec(said)?.[1];
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
      });
    });
    const url = await listening;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    const answer = await fetch(`${url}/api/v1/resources/pending-deletion`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
  });
});
