import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LogFields, Logger } from '@platform/kernel';
import { build } from 'esbuild';
import postgres from 'postgres';
import { EmbeddedPostgresError, runningUrl, startEmbeddedPostgres } from '../src/index.ts';
import { processIdentity } from '../src/postgres/processes.ts';
import type { RunningServer } from '../src/postgres/server.ts';
import { until } from '../testing/until.ts';

const packageDir = fileURLToPath(new URL('..', import.meta.url));
const running = new Set<RunningServer>();
const warnings: (readonly [string, LogFields | undefined])[] = [];
const quiet = () => undefined;
const log: Logger = {
  debug: quiet,
  info: quiet,
  error: quiet,
  warn: (message, fields) => warnings.push([message, fields]),
};
/** A data directory with a cluster in it, made once: a copy is much faster than a new one. */
let made: string;
let dataDir: string;

beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'embedded-'));
  await stop(await start(made));
});

afterAll(() => rmSync(made, { recursive: true, force: true }));

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'embedded-'));
  execFileSync('cp', ['-a', `${made}/.`, dataDir]);
  warnings.splice(0);
});

afterEach(async () => {
  for (const server of running) await server.stop();
  running.clear();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(directory = dataDir, port = 0, durable = false): Promise<RunningServer> {
  const server = await startEmbeddedPostgres({ dataDir: directory, port, durable, log });
  running.add(server);
  return server;
}

async function stop(server: RunningServer): Promise<void> {
  running.delete(server);
  await server.stop();
}

async function ask(url: string, statement: string): Promise<readonly object[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.end();
  }
}

/** Starts a database in a process of its own, and says which server that is. */
async function holder(): Promise<{ child: ChildProcess; serverPid: number }> {
  // Below the package, so that its dependencies are found.
  const outfile = join(packageDir, 'node_modules', `.test-${process.pid}`, 'holder.mjs');
  const entryPoints = [join(packageDir, 'test', 'holder.ts')];
  await build({
    entryPoints,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['platform-source'],
    // CommonJS, which a bundle of modules cannot load.
    external: ['selfsigned'],
  });
  const child = spawn(process.execPath, [outfile, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  rmSync(dirname(outfile), { recursive: true });
  return { child, serverPid: Number(said.toString()) };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function untilGone(pid: number): Promise<void> {
  await until(() => processIdentity(pid) === undefined);
}

describe('the embedded PostgreSQL', () => {
  it('is made at first and found again, with the same data and password', async () => {
    const fresh = join(dataDir, 'fresh');
    const first = await start(fresh);
    await ask(first.url, 'create table kept as select 1 as one');
    await stop(first);
    const second = await start(fresh);
    expect(await ask(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
  });

  it('tells others where it is while it runs, and not what a dead one has left behind', async () => {
    expect(runningUrl(dataDir)).toBeUndefined();
    const server = await start();
    expect(runningUrl(dataDir)).toBe(server.url);
    const record = join(dataDir, 'postgres', 'postmaster.pid');
    const left = readFileSync(record, 'utf8');
    await stop(server);
    writeFileSync(record, left.replace(/^\d+/, String(process.pid)));
    expect(runningUrl(dataDir)).toBeUndefined();
    expect(runningUrl(join(dataDir, 'nothing'))).toBeUndefined();
  });

  it('lets in only its own role, with its password, over loopback', async () => {
    const { url, port } = await start();
    const wrong = new URL(url);
    wrong.password = 'guess';
    await expect(ask(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    await expect(ask(`postgres://postgres:x@127.0.0.1:${port}/postgres`, 'select 1')).rejects.toThrow();
    const [row] = await ask(
      url,
      "select current_setting('listen_addresses') as at, rolsuper from pg_roles where rolname = current_user",
    );
    expect(row).toEqual({ at: '127.0.0.1', rolsuper: false });
  });

  it('keeps its password and log from others', async () => {
    await start();
    for (const file of ['postgres-password', 'postgres.log', 'launcher.lock']) {
      expect(statSync(join(dataDir, file)).mode & 0o077).toBe(0);
    }
  });

  it('gets a new password when the file is lost', async () => {
    const lost = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim();
    rmSync(join(dataDir, 'postgres-password'));
    const second = await start();
    expect(new URL(second.url).password).not.toBe(lost);
    expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('works below a directory that is closed to its account', async () => {
    const closed = join(dataDir, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const { url } = await start(join(closed, 'data'));
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('names a fixed port that is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    await expect(start(dataDir, port)).rejects.toThrow(`database.port: port ${port} is taken`);
    other.close();
    expect((await start(dataDir, port)).port).toBe(port);
  });

  it('refuses data of another major version, and says what to do', async () => {
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '9\n');
    await expect(start()).rejects.toThrow(/holds data of PostgreSQL 9, .* dump it/);
  });

  it('refuses a directory that is no cluster', async () => {
    const fresh = join(dataDir, 'fresh');
    mkdirSync(join(fresh, 'postgres'), { recursive: true });
    await expect(start(fresh)).rejects.toThrow('is not a PostgreSQL data directory');
  });

  it('starts over when the creation of the cluster was interrupted', async () => {
    const fresh = join(dataDir, 'fresh');
    mkdirSync(join(fresh, 'postgres.new'), { recursive: true });
    writeFileSync(join(fresh, 'postgres.new', 'PG_VERSION'), '18\n');
    expect(await ask((await start(fresh)).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('one data directory', () => {
  it('has one holder at a time', async () => {
    await start();
    await expect(start()).rejects.toThrow(EmbeddedPostgresError);
    await expect(start()).rejects.toThrow(`process ${process.pid} already runs a database`);
  });

  it('is free again once its holder has stopped', async () => {
    await stop(await start());
    expect((await start()).pid).toBeGreaterThan(0);
  });

  it('is not kept by a dead holder, nor by a later process with its id', async () => {
    for (const holderOf of [
      { pid: 2 ** 22 + 1, identity: 'gone' },
      { pid: process.pid, identity: 'of an earlier boot' },
      'damaged',
    ]) {
      writeFileSync(join(dataDir, 'launcher.lock'), JSON.stringify(holderOf));
      await stop(await start());
    }
  });
});

describe('a crash', () => {
  it('of the holder takes the server with it', async () => {
    const { child, serverPid } = await holder();
    await kill(child);
    await untilGone(serverPid);
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('received fast shutdown request');
  });

  it('of the server loses nothing that was committed', async () => {
    const first = await start(dataDir, 0, true);
    await ask(first.url, 'create table kept as select 1 as one');
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    running.delete(first);
    expect(await ask((await start()).url, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  it('that leaves a server behind is cleared at the next start', async () => {
    const left = await startEmbeddedPostgres({ dataDir, durable: false, detached: true, log });
    rmSync(join(dataDir, 'launcher.lock'));
    const next = await start();
    expect(processIdentity(left.pid)).toBeUndefined();
    expect(next.pid).not.toBe(left.pid);
    expect(warnings).toEqual([
      ['stopping a database server that an earlier start left behind', { pid: left.pid }],
    ]);
  });

  it('that leaves a process id which another program has by now does not hurt that program', async () => {
    const bystander = spawn('sleep', ['60']);
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    writeFileSync(pidFile, `${bystander.pid}\n${join(dataDir, 'postgres')}\n`);
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    chownSync(pidFile, uid, gid);
    chmodSync(pidFile, 0o600);
    expect((await start()).pid).not.toBe(bystander.pid);
    expect(bystander.exitCode).toBeNull();
    const gone = once(bystander, 'exit');
    bystander.kill();
    await gone;
  });
});
