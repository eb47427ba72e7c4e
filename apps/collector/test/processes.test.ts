import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { buildOnce, freePort, testDatabase } from '@platform/development/testing';
import { migrate, openStore, type Store } from '@platform/store-postgres';
import { CollectorProcess } from './collector-process.ts';
import { Wire } from './wire.ts';

let running: CollectorProcess[] = [];
let store: Store;
// Registered before the database, which counts open connections as leaked when it is dropped.
afterAll(() => store.close());
const database = testDatabase({ migrate: (url) => migrate({ url }) });

beforeAll(async () => {
  await buildOnce();
  store = openStore({ url: database.url });
}, 300_000);

afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map((process) => process.ended()));
  running = [];
  await database.sql`truncate resources cascade`;
  await database.sql`update leases set holder = null, expires_at = '-infinity', paused_since = null`;
});

function start(changes: Readonly<Record<string, string>> = {}, url = database.url): CollectorProcess {
  const started = new CollectorProcess(url, changes);
  running.push(started);
  return started;
}

async function leading(changes: Readonly<Record<string, string>> = {}): Promise<CollectorProcess> {
  const process = start(changes);
  await process.logged('collector: leading');
  return process;
}

/** A root with `width` children of `width` children each; returns the uids, the root's first. */
async function givenTree(width: number): Promise<readonly string[]> {
  const uids = Array.from({ length: 1 + width + width * width }, () => randomUUID());
  const rows = uids.map((uid, index) => ({
    uid,
    parent: index === 0 ? null : index <= width ? uids[0] : uids[1 + ((index - 1) % width)],
    name: `n${index}`,
    discriminator: `n${index.toString(36).padStart(7, '0')}`,
  }));
  await database.sql`
    insert into resources (uid, parent_uid, api_version, kind, name, discriminator)
    select uid, parent, 'example.dev/v1', 'Node', name, discriminator
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as row (uid uuid, parent uuid, name text, discriminator text)`;
  return uids;
}

async function tombstone(uid: string): Promise<void> {
  await database.sql`update resources set deletion_timestamp = now(), revision = revision + 1 where uid = ${uid}`;
}

/** Resolves once nothing is left; whoever collects is in another process, so this can only ask. */
async function untilGone(): Promise<void> {
  for (;;) {
    const [row] = await database.sql`select count(*)::int as count from resources`;
    if (row?.['count'] === 0) return;
  }
}

function reported(...processes: readonly CollectorProcess[]): readonly string[] {
  return processes.flatMap((process) =>
    process.all('resource.deletion_cascaded').map((line) => (line['dependent'] as { uid: string }).uid),
  );
}

describe('the collector process', () => {
  it('collects what was committed without waiting for a poll, and reports each dependent once', async () => {
    const process = await leading();
    const [root = '', ...below] = await givenTree(5);
    await tombstone(root);
    await untilGone();
    process.child.kill('SIGTERM');
    expect(await process.ended()).toBe(0);
    expect([...reported(process)].sort()).toEqual([...below].sort());
    expect(process.all('resource.deletion_cascaded')[0]).toMatchObject({
      level: 'info',
      target: 'platform::audit',
      requestId: null,
      actor: { type: 'system', id: 'collector' },
      reason: 'parent_deleted',
      relationship: 'structuralChild',
      blocking: true,
      revision: 2,
    });
  });

  it('collects at once when the last finalizer goes', async () => {
    await leading();
    const [root = ''] = await givenTree(0);
    await database.sql`update resources set finalizers = array['x/a'] where uid = ${root}`;
    await tombstone(root);
    await database.sql`update resources set finalizers = '{}', revision = revision + 1 where uid = ${root}`;
    await untilGone();
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'gives the lease back on %s, and another takes over at once',
    async (signal) => {
      const first = await leading({ PLATFORM__COLLECTOR__LEASE_SECONDS: '3600' });
      const second = start({ PLATFORM__COLLECTOR__LEASE_SECONDS: '3600' });
      await second.logged('ready');
      first.child.kill(signal);
      await second.logged('collector: leading');
      expect(await first.ended()).toBe(0);
    },
  );

  it('ends when its launcher has gone', async () => {
    const process = await leading();
    process.child.disconnect();
    expect(await process.ended()).toBe(0);
  });

  it('that is killed in the middle of a cascade is replaced, and nothing is reported twice', async () => {
    const changes = { PLATFORM__COLLECTOR__LEASE_SECONDS: '1', PLATFORM__COLLECTOR__BATCH_SIZE: '10' };
    const [root = '', ...below] = await givenTree(40);
    const processes = [await leading(changes), start(changes)] as const;
    await processes[1].logged('ready');
    await tombstone(root);
    // A loaded machine may renew the lease too late, and then the other one leads.
    const first = await Promise.race(
      processes.map(async (process) => {
        await process.logged('resource.deletion_cascaded', 100);
        return process;
      }),
    );
    const second = first === processes[0] ? processes[1] : processes[0];
    first.child.kill('SIGKILL');
    await first.ended();
    await untilGone();
    second.child.kill('SIGTERM');
    await second.ended();
    const uids = reported(first, second);
    expect(new Set(uids).size).toBe(uids.length);
    // Only records that were committed and not yet written when the process died are lost: at most its pipe's worth.
    expect(uids.length).toBeGreaterThan(100);
    expect(below).toEqual(expect.arrayContaining([...uids]));
    expect(second.all('collector: leading')).not.toEqual([]);
  });

  it('does nothing while it is paused, and goes on when it is resumed', async () => {
    const process = await leading();
    await store.collectorPause.pause();
    await process.logged('collector: paused');
    const [root = ''] = await givenTree(3);
    await tombstone(root);
    expect(await store.collectorPause.state()).toMatchObject({ leader: expect.any(String) });
    expect(process.all('resource.deletion_cascaded')).toEqual([]);
    await store.collectorPause.resume();
    await untilGone();
    for (const message of ['collector: paused', 'collector: resumed']) {
      expect(process.all(message)).toHaveLength(1);
    }
  });

  it('survives an outage and collects afterwards what came meanwhile', async () => {
    const wire = new Wire(database.url);
    await wire.restore();
    const process = start({}, wire.url);
    await process.logged('collector: leading');
    await wire.cut();
    await process.logged('not listening for wake-ups; polling continues');
    const [root = ''] = await givenTree(3);
    await tombstone(root);
    await wire.restore();
    await untilGone();
    await process.logged('listening for wake-ups again');
    expect(process.all('not listening for wake-ups; polling continues')).toHaveLength(1);
    expect(JSON.stringify(process.lines)).not.toContain('"stack"');
    process.child.kill('SIGTERM');
    expect(await process.ended()).toBe(0);
    await wire.cut();
  });

  it('serves probes and metrics where it is told to', async () => {
    const port = await freePort();
    const process = await leading({ PLATFORM__COLLECTOR__LISTEN: `127.0.0.1:${port}` });
    const [root = ''] = await givenTree(3);
    await tombstone(root);
    await process.logged('collector: run ended');
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}?from=probe`);
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      return { status: answer.status, text: await answer.text() };
    };
    expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' });
    expect(await get('/readyz')).toEqual({ status: 200, text: 'ready\n' });
    expect(await get('/other')).toMatchObject({ status: 404 });
    const { text } = await get('/metrics');
    expect(text).toContain('platform_collector_leader 1\n');
    expect(text).toContain('platform_collector_rows_removed_total 13\n');
    expect(text).toContain('platform_collector_rows_tombstoned_total 12\n');
  });

  it('waits for a database that is not migrated yet', async () => {
    const port = await freePort();
    const name = `late_${randomUUID().slice(0, 8)}`;
    await database.sql.unsafe(`create database ${name}`);
    const url = Object.assign(new URL(database.url), { pathname: `/${name}` }).href;
    const process = start({ PLATFORM__COLLECTOR__LISTEN: `127.0.0.1:${port}` }, url);
    await process.logged('waiting for the database');
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503);
    await migrate({ url });
    await process.logged('collector: leading');
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    process.child.kill('SIGTERM');
    await process.ended();
    await database.sql.unsafe(`drop database ${name}`);
  });

  it('names an address that it cannot have and ends', async () => {
    const first = await freePort();
    const listen = { PLATFORM__COLLECTOR__LISTEN: `127.0.0.1:${first}` };
    await leading(listen);
    const second = start(listen);
    expect(await second.ended()).toBe(1);
    expect(second.all('the collector could not run')).toMatchObject([
      { reason: `collector.listen: 127.0.0.1:${first} is taken by another program` },
    ]);
  });

  it('names what is wrong with its configuration and ends', async () => {
    const process = start({
      PLATFORM__COLLECTOR__BATCH_SIZE: '0',
      PLATFORM__COLLECTOR__LEASE_SECONDS: 'soon',
    });
    expect(await process.ended()).toBe(1);
    expect(process.errors).toContain('collector.batch_size');
    expect(process.errors).toContain('collector.lease_seconds');
  });
});

describe('a command of the image', () => {
  const command = (name: string, env: Readonly<Record<string, string>>) =>
    spawnSync(process.execPath, [fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url))], {
      cwd: '/',
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
    });

  it.each(['fsck', 'switch', 'reseal'])(
    '%s ends with 2 when the configuration is invalid, because 1 means that it found something',
    (name) => {
      const { status, stderr } = command(name, { PLATFORM__DATABASE__POOL_MAX: '0' });
      expect([status, stderr]).toEqual([2, expect.stringContaining('database.pool_max: ')]);
    },
  );
});
