import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce, testDatabase, until, untilFound, whileHeld } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { ApiProcesses, ended, ready, said, sessionOf } from './api-process.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const processes = new ApiProcesses(() => database.url);
const workers = { PLATFORM__SERVER__WORKERS: '2' };

beforeAll(() => buildOnce(), 120_000);

/** The process ids of the workers of a replica; none once it has ended. */
function workersOf({ pid }: ChildProcess): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)])
      .toString()
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

/** Kills a worker, and returns its process id. */
function killOne(child: ChildProcess): number {
  const [pid = 0] = workersOf(child);
  process.kill(pid, 'SIGKILL');
  return pid;
}

it('a replica whose worker is killed before any has served says so, and ends with 1', async () => {
  await whileHeld(database, ['select pg_advisory_xact_lock(1886151028, 1)'], async () => {
    const child = await processes.start(workers);
    const log = said(child, 'stdout');
    await until(() => log().includes('another replica migrates'));
    const pid = killOne(child);
    expect(await ended(child)).toBe(1);
    expect(log()).toContain(
      `"message":"a worker ended before it was ready, stopping","service":"api","pid":${pid},"code":null,"signal":"SIGKILL"`,
    );
  });
});

it('a worker that cannot start is replaced after longer and longer waits, while the others serve', async () => {
  const name = new URL(database.url).pathname.slice(1);
  const child = await processes.start(workers);
  const log = said(child, 'stdout');
  const url = await ready(child);
  await database.sql.unsafe(`alter database ${name} set array_nulls = off`);
  try {
    killOne(child);
    const delays = () => [...log().matchAll(/"delayMs":(\d+)/g)].map(([, delay]) => Number(delay));
    await until(() => delays().length === 3, { seconds: 40 });
    expect(delays()).toEqual([1_000, 2_000, 4_000]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  } finally {
    await database.sql.unsafe(`alter database ${name} reset all`);
  }
});

it('a worker that replaces another one has the configuration of the replica, whatever became of the file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'workers-'));
  const file = join(directory, 'platform.yaml');
  const secretFile = join(directory, 'secret');
  writeFileSync(secretFile, Buffer.alloc(32).toString('base64'));
  writeFileSync(file, 'server: { workers: 2 }\n');
  try {
    const child = await processes.start({
      PLATFORM_CONFIG: file,
      PLATFORM__SERVER__JWT_SIGNING_SECRET: `\${file:${secretFile}}`,
    });
    const url = await ready(child);
    const before = workersOf(child);
    writeFileSync(secretFile, Buffer.alloc(32, 1).toString('base64'));
    writeFileSync(file, 'server: { workers: many }\n');
    killOne(child);
    await untilFound(() => workersOf(child).find((pid) => !before.includes(pid)));
    await until(async () =>
      (await (await fetch(`${url}/metrics`)).text()).includes('platform_api_workers 2\n'),
    );
    // New connections go to the workers in turn.
    const ask = () =>
      fetch(`${url}/api/v1/auth/me`, {
        headers: { Authorization: `Bearer ${sessionOf('a@example.dev')}`, Connection: 'close' },
      });
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  } finally {
    rmSync(directory, { recursive: true });
  }
});
