import { setTimeout as sleep } from 'node:timers/promises';
import {
  recordingLogger,
  settled,
  startProxy,
  type TcpProxy,
  timeoutFactor,
  until,
} from '@platform/development/testing';
import { testPools } from '../test/pools.ts';
import type { Database, Sql } from './index.ts';

const { database, open } = testPools();

const unavailable = { code: 'unavailable' };
const unknown = { code: 'outcome_unknown' };
const backendOf = async (sql: Sql) => (await sql.rows<readonly [number]>('select pg_backend_pid()'))[0]?.[0];
const written = async () => (await database.sql`select n from written`).map((row) => row['n']);
/** A timeout in which a loaded machine makes a connection and answers a simple statement. */
const brief = 500 * timeoutFactor;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error) => error.code,
  );
const elapsed = async (work: Promise<unknown>) => {
  const since = performance.now();
  await work.catch(() => undefined);
  return performance.now() - since;
};

let proxy: TcpProxy;
beforeAll(async () => {
  await database.sql`create table written (n int)`;
  proxy = await startProxy(new URL(database.url));
});
afterAll(() => proxy.stop());
beforeEach(() => database.sql`truncate written`);
afterEach(() => {
  proxy.release();
  proxy.loseAnswers(false);
});

describe('connections that the server refuses', () => {
  const limitTo = (limit: number) =>
    database.sql.unsafe(
      `alter database ${new URL(database.url).pathname.slice(1)} connection limit ${limit}`,
    );
  const burst = (pool: Database, count: number) =>
    Promise.all(Array.from({ length: count }, () => codeOf(pool.rows('select pg_sleep(0.02)'))));
  const left = (name: string) => database.sql`select from pg_stat_activity where application_name = ${name}`;
  afterEach(() => limitTo(-1));

  it('leave none behind', async () => {
    for (let storm = 0; storm < 5; storm += 1) {
      const pool = open({ poolMax: 10, applicationName: 'refused' });
      await limitTo(0);
      expect(new Set(await burst(pool, 100))).toEqual(new Set(['unavailable']));
      await limitTo(3);
      await burst(pool, 20);
      await pool.close();
    }
    // A server process ends a moment after its client.
    await until(async () => (await left('refused')).length === 0);
  });

  // Attack on operators: a role that may have fewer connections than the pool refused every request that found the others in use.
  it('are not missed: work waits for those that are open, which the log says once', async () => {
    const logger = recordingLogger();
    const pool = open({ poolMax: 10, logger });
    await pool.rows('select 1');
    await limitTo(3);
    expect(new Set(await burst(pool, 100))).toEqual(new Set(['ok']));
    await pool.ping();
    expect(logger.lines.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'the database accepts no more connections; requests wait for those that are open'],
    ]);
    expect(logger.lines[0]?.fields).toMatchObject({
      poolMax: 10,
      reason: expect.stringMatching(/connections/),
    });
    await pool.close();
  });

  it('fail what waits for another one that is lost, and is not replaced', async () => {
    const pool = open({ poolMax: 3, applicationName: 'lost' });
    await pool.rows('select 1');
    await limitTo(1);
    const works = [0, 1, 2].map(() => codeOf(pool.rows('select pg_sleep(1000)')));
    await until(async () => (await left('lost')).length === 1 && pool.load.active === 3);
    await limitTo(0);
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lost'`;
    expect(new Set(await Promise.all(works))).toEqual(new Set(['unavailable']));
    await pool.close();
  });
});

describe('a transaction whose connection is lost before its commit', () => {
  it('is not reported as committed', async () => {
    const pool = open({ url: proxy.url, poolMax: 1 });
    const attempt = pool.transaction(async (sql) => {
      await sql.rows('insert into written values (1)');
      await proxy.end();
      await settled();
    });
    await expect(attempt).rejects.toMatchObject(unavailable);
    expect(await written()).toEqual([]);
  });
});

describe('a write whose answer is lost', () => {
  const insert = { text: 'insert into written values (1)' };

  it.each<[string, (pool: Database) => Promise<unknown>]>([
    ['a statement', (pool) => pool.rows(insert.text)],
    [
      'a commit',
      (pool) =>
        pool.transaction(async (sql) => {
          await sql.rows(insert.text);
          proxy.loseAnswers(true);
        }),
    ],
  ])('has an unknown outcome, and is not run again: %s', async (what, write) => {
    const pool = open({ url: proxy.url, poolMax: 1 });
    await pool.rows('select 1');
    if (what !== 'a commit') proxy.loseAnswers(true);
    await expect(write(pool)).rejects.toMatchObject(unknown);
    proxy.loseAnswers(false);
    // The server finishes what it received.
    while ((await written()).length === 0);
    expect(await written()).toEqual([1]);
    await pool.close();
  });

  it('has an unknown outcome when it takes too long', async () => {
    const pool = open({ url: proxy.url, poolMax: 1, writeTimeoutMs: brief, suspectAfterMs: 60_000 });
    await pool.rows('select 1');
    proxy.hold();
    await expect(pool.rows(insert.text)).rejects.toMatchObject(unknown);
    await pool.close();
  });

  it('is unavailable where nothing was committed: a read, and a transaction that has sent no commit', async () => {
    const pool = open({ url: proxy.url, poolMax: 2 });
    const lost = async (work: (sql: Database) => Promise<unknown>) => {
      await pool.rows('select 1');
      proxy.loseAnswers(true);
      await expect(work(pool)).rejects.toMatchObject(unavailable);
      proxy.loseAnswers(false);
    };
    await lost((sql) => sql.rows('select 1'));
    await lost((sql) => sql.transaction((inside) => inside.rows('insert into written values (2)')));
    // The insert of the test before may still arrive.
    expect(await written()).not.toContain(2);
    await pool.close();
  });

  it('is unavailable where the server says that it cancelled it', async () => {
    const pool = open({ statementTimeoutMs: 20 });
    const slow = 'insert into written select 1 from pg_sleep(5)';
    await expect(pool.rows(slow)).rejects.toMatchObject(unavailable);
  });
});

describe('a network that falls silent', () => {
  it('is paid for once, however many connections it silenced', async () => {
    const pool = open({ url: proxy.url, poolMax: 8, readTimeoutMs: brief, suspectAfterMs: 60_000 });
    await Promise.all(Array.from({ length: 8 }, () => pool.rows('select pg_sleep(0.05)')));
    proxy.hold();
    await expect(pool.rows('select 1')).rejects.toMatchObject(unavailable);
    expect(await pool.rows('select 1')).toEqual([[1]]);
    await pool.close();
  });

  it('is found out before a statement goes down a connection that was idle', async () => {
    const pool = open({ url: proxy.url, poolMax: 8, probeAfterMs: 0 });
    await Promise.all(Array.from({ length: 8 }, () => pool.rows('select pg_sleep(0.05)')));
    proxy.hold();
    expect(await pool.rows(`insert into written values (1) returning n`)).toEqual([[1]]);
    await pool.close();
  });
});

describe('a server that accepts connections and does not answer', () => {
  it('fails what was sent, what waits and what comes within a bounded time, and is used again by itself', async () => {
    const logger = recordingLogger();
    const pool = open({
      url: proxy.url,
      poolMax: 2,
      readTimeoutMs: 600,
      writeTimeoutMs: 2_000,
      suspectAfterMs: 100,
      logger,
    });
    await Promise.all([1, 2].map(() => pool.rows('select pg_sleep(0.01)')));
    await pool.ping();
    proxy.freeze();
    const insert = () => pool.rows('insert into written values (1)');
    const took = await elapsed(
      Promise.all([
        expect(insert()).rejects.toMatchObject(unknown),
        ...Array.from({ length: 30 }, () => expect(pool.rows('select 1')).rejects.toMatchObject(unavailable)),
        ...Array.from({ length: 30 }, () => expect(insert()).rejects.toBeDefined()),
      ]),
    );
    expect(took).toBeLessThan(5_000 * timeoutFactor);
    await expect(pool.ping()).rejects.toMatchObject(unavailable);
    expect(await elapsed(pool.rows('select 1'))).toBeLessThan(100 * timeoutFactor);
    proxy.release();
    while ((await codeOf(pool.rows('select 1'))) !== 'ok') await sleep(20);
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'the database does not answer',
      'the database answers again',
    ]);
    await pool.close();
  });

  it('does not hold up the end of the process', async () => {
    const pool = open({ url: proxy.url, poolMax: 3 });
    await Promise.all([1, 2, 3].map(() => pool.rows('select pg_sleep(0.01)')));
    await pool.ping();
    proxy.freeze();
    const stuck = codeOf(pool.rows('select 1'));
    expect(await elapsed(pool.close(200))).toBeLessThan(2_500 * timeoutFactor);
    expect(await stuck).toBe('unavailable');
  });
});

describe('a server that takes no writes any more', () => {
  it('loses the connection that noticed, and those that nobody uses', async () => {
    const pool = open({ poolMax: 2 });
    const before = new Set(await Promise.all([1, 2].map(() => backendOf(pool))));
    expect(before.size).toBe(2);
    await pool.rows('set default_transaction_read_only = on');
    await expect(pool.rows('insert into written values (1)')).rejects.toMatchObject(unavailable);
    await pool.rows('insert into written values (4)');
    const after = await Promise.all([1, 2].map(() => backendOf(pool)));
    expect(after.filter((pid) => before.has(pid))).toEqual([]);
  });
});

describe('a database that is set read-only', () => {
  it('is told from one that cannot be reached', async () => {
    const pool = open();
    const name = new URL(database.url).pathname.slice(1);
    const setReadOnly = (value: string) =>
      database.sql.unsafe(`alter database "${name}" set default_transaction_read_only = ${value}`);
    await setReadOnly('on');
    try {
      await expect(pool.ping()).rejects.toThrow('The database takes no writes.');
    } finally {
      await database.sql.unsafe('set default_transaction_read_only = off');
      await setReadOnly('off');
    }
    await pool.ping();
  });
});

describe('a statement that takes long', () => {
  it('is waited for while the server answers others', async () => {
    const pool = open({ poolMax: 2, suspectAfterMs: 50, writeTimeoutMs: 5_000 });
    expect(await pool.rows('insert into written select 2 from pg_sleep(1) returning n')).toEqual([[2]]);
  });

  it('of a transaction for large trees may take longer than another write', async () => {
    const pool = open({ writeTimeoutMs: brief });
    const insert = `insert into written select 3 from pg_sleep(${(1.2 * brief) / 1_000}) returning n`;
    const slow = (long: boolean) => pool.transaction((sql) => sql.rows(insert), { long });
    await expect(slow(false)).rejects.toMatchObject(unavailable);
    expect(await slow(true)).toEqual([[3]]);
  });
});
