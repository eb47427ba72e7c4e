import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { overrideName } from '@platform/config';
import { buildOnce, testDatabase, until, untilFound, whileHeld } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { ApiProcesses, ended, ready, said } from './api-process.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const processes = new ApiProcesses(() => database.url);

beforeAll(() => buildOnce(), 120_000);

/** The process ids of the workers of a replica. */
function workersOf({ pid }: ChildProcess): number[] {
  return execFileSync('pgrep', ['-P', String(pid)])
    .toString()
    .trim()
    .split('\n')
    .map(Number);
}

/** Whether it has a handler of SIGHUP, the lowest bit; Node.js itself has none. */
function handlesSignals({ pid }: ChildProcess): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (BigInt(`0x${/^SigCgt:\s*(\S+)/m.exec(status)?.[1] ?? '0'}`) & 1n) === 1n;
}

describe('the API process', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'tells its launcher when it serves, and ends with 0 on %s',
    async (signal) => {
      const child = await processes.start();
      const url = await ready(child);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      child.kill(signal);
      expect(await ended(child)).toBe(0);
    },
  );

  // As process 1 of a container it would go on until it is killed.
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends with 0 on %s while it loads', async (signal) => {
    const child = await processes.start();
    const log = said(child, 'stdout');
    await until(() => handlesSignals(child));
    child.kill(signal);
    expect(await ended(child)).toBe(0);
    expect(log()).toBe('');
  });

  it('ends when its launcher has gone', async () => {
    const child = await processes.start();
    await ready(child);
    child.disconnect();
    expect(await ended(child)).toBe(0);
  });

  it('serves with several workers as one, and stops them all', async () => {
    const child = await processes.start({ PLATFORM__SERVER__WORKERS: '2' });
    const url = await ready(child);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    // Two pools of ten: the metrics are those of both.
    expect(metrics).toContain('platform_api_database_connections{state="max"} 20');
    expect(metrics).toContain('platform_api_workers 2\n');
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it('closes connections above server.max_connections, with several workers, too', async () => {
    const limits = { PLATFORM__SERVER__WORKERS: '2', PLATFORM__SERVER__MAX_CONNECTIONS: '2' };
    const child = await processes.start(limits);
    const log = said(child, 'stdout');
    const { hostname, port } = new URL(await ready(child));
    let closed = 0;
    const sockets = Array.from({ length: 8 }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.on('error', () => undefined).on('close', () => (closed += 1));
    // Each worker has two, or one if it got no more.
    await until(() => closed >= 4);
    await until(() => log().includes('connections are closed at once'));
    for (const socket of sockets) socket.destroy();
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
  });

  it('goes on with its other workers when one is killed, and its replacement before that serves', async () => {
    const child = await processes.start({ PLATFORM__SERVER__WORKERS: '2' });
    const url = await ready(child);
    const workers = () => workersOf(child);
    const known = workers();
    process.kill(known[0] ?? 0, 'SIGKILL');
    const replacement = await untilFound(() => workers().find((pid) => !known.includes(pid)));
    process.kill(replacement, 'SIGKILL');
    await until(() => workers().some((pid) => ![...known, replacement].includes(pid)));
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
  });

  it('ends a worker that hangs, and replaces it', async () => {
    const child = await processes.start({ PLATFORM__SERVER__WORKERS: '2' });
    const log = said(child, 'stdout');
    await ready(child);
    const [hanging = 0, healthy] = workersOf(child);
    process.kill(hanging, 'SIGSTOP');
    // A worker may leave questions of 30 seconds unanswered.
    const isEnded = () => log().includes('"message":"a worker does not answer and is ended"');
    await until(isEnded, { seconds: 60 });
    await until(() => workersOf(child).length === 2);
    expect(workersOf(child)).toContain(healthy);
    expect(workersOf(child)).not.toContain(hanging);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
  }, 120_000);

  it('does not start with a bad configuration, and says each fault', async () => {
    const child = await processes.start({
      PLATFORM__SERVER__WORKERS: 'many',
      PLATFORM__DATABASE__POOL_MAX: '0',
    });
    const errors = said(child, 'stderr');
    expect(await ended(child)).toBe(1);
    expect(errors()).toContain('server.workers');
    expect(errors()).toContain('database.pool_max');
  });

  it('does not start when Organizations exist and the default one is none of them', async () => {
    await ready(await processes.start());
    const child = await processes.start({ PLATFORM__DEFAULT_ORGANIZATION__NAME: 'other' });
    const log = said(child, 'stdout');
    expect(await ended(child)).toBe(1);
    expect(log()).toContain('default_organization.name is other');
  });

  it('does not start with a default Organization that is invalid, and names each key', async () => {
    const child = await processes.start({
      PLATFORM__DEFAULT_ORGANIZATION__SPEC: '{ displayName: 1, description: [x] }',
    });
    const errors = said(child, 'stderr');
    expect(await ended(child)).toBe(1);
    expect(errors()).toContain('default_organization.spec.displayName: must be a string');
    expect(errors()).toContain('default_organization.spec.description: must be a string');
  });

  it.each(['server.listen', 'server.metrics_listen'])(
    'does not start when %s is taken, and says so in one line without a stack',
    async (key) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const address = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
      const child = await processes.start({ [overrideName(key)]: address });
      const log = said(child, 'stdout');
      expect(await ended(child)).toBe(1);
      taken.close();
      expect(log()).toContain(`"reason":"${key}: ${address} is taken by another program"`);
      expect(log()).not.toContain('"stack"');
    },
  );

  it('ends when it is told to stop while it waits for the lock of migrations', async () => {
    await whileHeld(database, ['select pg_advisory_xact_lock(1886151028, 1)'], async () => {
      const child = await processes.start();
      const log = said(child, 'stdout');
      await until(() => log().includes('another replica migrates'));
      child.kill('SIGTERM');
      expect(await ended(child)).toBe(0);
      expect(log()).not.toContain('"listening"');
    });
  });

  it('is alive but not ready while the database is away', async () => {
    const away = new URL(database.url);
    away.port = '1';
    const child = await processes.start({ PLATFORM__DATABASE__URL: away.href });
    const log = said(child, 'stdout');
    const listening = new Promise<string>((resolve) => {
      child.stdout?.on('data', () => {
        const port = /"listening".*"port":(\d+)/.exec(log())?.[1];
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
