import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { oldGenerationGrowth, startProxy, timeoutFactor, until } from '@platform/development/testing';
import { testPools } from '../test/pools.ts';
import { openDatabase, type Sql } from './index.ts';

const { database, open } = testPools();

const backendOf = async (sql: Sql) => (await sql.rows<readonly [number]>('select pg_backend_pid()'))[0]?.[0];
const terminate = (pid: number | undefined) => database.sql`select pg_terminate_backend(${pid ?? 0})`;
const unavailable = { code: 'unavailable' };

describe('values', () => {
  it('come as they are stored: documents as text, bigint as number, times in RFC 3339', async () => {
    const [row] = await open().rows(
      `select '{"a":  1e400}'::json, '[1.10]'::jsonb, 9007199254740991::bigint, timestamptz '2026-01-02 03:04:05.6+02', true, null`,
    );
    expect(row).toEqual([
      '{"a":  1e400}',
      '[1.10]',
      9007199254740991,
      '2026-01-02T01:04:05.600Z',
      true,
      null,
    ]);
  });

  it('go as they are given', async () => {
    const text = '{"__proto__": 1.0, "x": "\\u0041"}';
    const [row] = await open().rows('select $1::json, $2::text[], $3::bool, $4::timestamptz, $5::bigint', [
      text,
      '{"a\\"b",c}',
      true,
      '2026-01-02T03:04:05.678Z',
      42,
    ]);
    expect(row).toEqual([text, '{"a\\"b",c}', true, '2026-01-02T03:04:05.678Z', 42]);
  });
});

describe('the pool', () => {
  it('never puts a statement behind one that waits for a lock', async () => {
    const pool = open({ poolMax: 3 });
    let stuck: Promise<unknown> = Promise.resolve();
    await pool.transaction(async (sql) => {
      await sql.rows('select pg_advisory_xact_lock(42)');
      stuck = pool.rows('select pg_advisory_lock(42), pg_advisory_unlock(42)');
      const free = Promise.all([1, 2, 3, 4].map((n) => pool.rows('select $1::int', [n])));
      expect(pool.load).toEqual({ active: 3, waiting: 3 });
      expect(await free).toEqual([[[1]], [[2]], [[3]], [[4]]]);
      expect(pool.load).toEqual({ active: 2, waiting: 0 });
    });
    await stuck;
    expect(pool.load).toEqual({ active: 0, waiting: 0 });
  });

  it('runs a statement again that PostgreSQL has ended because of a deadlock', async () => {
    const pool = open({ poolMax: 2 });
    const text = `select pg_advisory_xact_lock($2::bigint)::text
      from (select pg_advisory_xact_lock($1::bigint)::text as a offset 0) as one,
      lateral (select pg_sleep(0.2)::text || a as b offset 0) as pause where b is not null`;
    const both = [pool.rows(text, [71, 72]), pool.rows(text, [72, 71])];
    expect(await Promise.all(both)).toEqual([[['']], [['']]]);
  });

  it('refuses what would wait with too many bytes, of statements and of transactions', async () => {
    const pool = open({ poolMax: 1, maxWaitingBytes: 1_000 });
    const echo = (text: string) => pool.rows('select length($1::text)', [text]);
    const waiting: Promise<unknown>[] = [];
    const holding = async (sql: Sql) => {
      await sql.rows('select 1');
      waiting.push(echo('x'.repeat(900)));
      await expect(echo('x'.repeat(200))).rejects.toMatchObject(unavailable);
      const large = pool.transaction((inner) => inner.rows('select 1'), { bytes: 200 });
      await expect(large).rejects.toMatchObject(unavailable);
      waiting.push(echo('x'));
    };
    await pool.transaction(holding, { bytes: 0 });
    expect(await Promise.all(waiting)).toEqual([[[900]], [[1]]]);
    expect(await echo('x'.repeat(900))).toEqual([[900]]);
  });

  it('keeps no rows of statements that are done, not even until the next full garbage collection', async () => {
    const pool = open({ poolMax: 1 });
    // 10 MB in all.
    const grown = await oldGenerationGrowth(100, () => pool.rows(`select repeat('x', 100000)`));
    expect(grown).toBeLessThan(2_000_000);
  });

  it('gives whole results after a statement that failed half-way', async () => {
    const pool = open({ poolMax: 1 });
    const failing = pool.rows('select 10 / (3 - n) from generate_series(1, 5) n');
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await pool.rows('select n from generate_series(1, 3) n')).toEqual([[1], [2], [3]]);
    const inside = pool.transaction((sql) => sql.rows('select 10 / (3 - n) from generate_series(1, 5) n'));
    await expect(inside).rejects.toMatchObject({ code: '22012' });
    expect(await pool.rows('select n from generate_series(1, 3) n')).toEqual([[1], [2], [3]]);
  });

  it('sets the timeouts of its sessions, and turns off the compiler', async () => {
    const pool = open({ statementTimeoutMs: 1234, lockTimeoutMs: 567 });
    const settings = ['statement_timeout', 'lock_timeout', 'jit', 'TimeZone', 'application_name'];
    const rows = await Promise.all(settings.map((name) => pool.rows(`show ${name}`)));
    expect(rows.flat(2)).toEqual(['1234ms', '567ms', 'off', 'UTC', 'platform']);
  });

  it.each([
    ['directly', ''],
    ['through a transaction pooler', '?pooler=transaction'],
  ])('works with a database whose standard_conforming_strings is off, %s', async (_how, query) => {
    const { sql } = database;
    const name = sql(new URL(database.url).pathname.slice(1));
    await sql`alter database ${name} set standard_conforming_strings = off`;
    try {
      const pool = open({ url: `${database.url}${query}` });
      expect(await pool.rows("select U&'\\0041'")).toEqual([['A']]);
    } finally {
      await sql`alter database ${name} reset standard_conforming_strings`;
    }
  });

  it.each([encodeURIComponent('My Plátform/2'), 'My Plátform%2F2'])('finds the database %s', async (name) => {
    const { sql } = database;
    await sql`create database ${sql('My Plátform/2')}`;
    try {
      const url = database.url.replace(new URL(database.url).pathname, `/${name}`);
      const pool = openDatabase({ url });
      expect(await pool.rows('select current_database()')).toEqual([['My Plátform/2']]);
      await pool.close();
    } finally {
      await sql`drop database ${sql('My Plátform/2')}`;
    }
  });

  it('neither prepares nor asks for timeouts behind a transaction pooler', async () => {
    const pool = open({ url: `${database.url}?pooler=transaction`, statementTimeoutMs: 1234 });
    expect(await pool.rows('select $1::int', [1])).toEqual([[1]]);
    expect(await pool.rows('select count(*) from pg_prepared_statements')).toEqual([[0]]);
    expect(await pool.rows('show statement_timeout')).toEqual([['0']]);
  });
});

describe('a role behind a transaction pooler', () => {
  const settingsOf = async ({ rows }: Sql) =>
    Object.fromEntries(
      await rows<readonly [string, string]>(`
        select name, setting from pg_settings
        where source in ('client', 'user', 'database user') and name not in ('application_name', 'client_encoding')`),
    );

  it('has the settings of a session, once it is set up as docs/databases.md says', async () => {
    const page = readFileSync(new URL('../../../docs/databases.md', import.meta.url), 'utf8');
    const statements = page.match(/^ *alter role platform set .*;$/gm) ?? [];
    const { name } = (await database.sql`select current_database() as name`)[0] as { name: string };
    // Of this database alone: other test files share the role.
    for (const statement of statements)
      await database.sql.unsafe(statement.replace('role platform', `role current_user in database ${name}`));
    expect(await settingsOf(open({ url: `${database.url}?pooler=transaction` }))).toEqual(
      await settingsOf(open()),
    );
    await database.sql.unsafe(`alter role current_user in database ${name} reset all`);
  });
});

describe('closing', () => {
  it('waits for what runs and turns away what comes', async () => {
    const pool = openDatabase({ url: database.url });
    const running = pool.transaction(async (sql) => {
      await sql.rows('select pg_sleep(0.05)');
      return sql.rows('select 1');
    });
    const closed = pool.close();
    await expect(pool.rows('select 1')).rejects.toMatchObject(unavailable);
    expect(await running).toEqual([[1]]);
    await closed;
  });

  it('does not wait without a limit', async () => {
    const pool = openDatabase({ url: database.url });
    const running = expect(pool.rows('select pg_sleep(60)')).rejects.toMatchObject(unavailable);
    await pool.close(50);
    await running;
  });

  it('uses no connection that was being made', async () => {
    const proxy = await startProxy(new URL(database.url));
    proxy.hold();
    const pool = openDatabase({ url: proxy.url, applicationName: 'late' });
    const running = expect(pool.rows('select 1')).rejects.toMatchObject(unavailable);
    await pool.close(0);
    proxy.release();
    await running;
    const left = () => database.sql`select from pg_stat_activity where application_name = 'late'`;
    while ((await left()).length > 0);
    await proxy.stop();
  });

  it('ends the probe of an idle connection', async () => {
    const proxy = await startProxy(new URL(database.url));
    const pool = openDatabase({ url: proxy.url, probeAfterMs: 0 });
    await pool.rows('select 1');
    proxy.hold();
    const running = expect(pool.rows('select 2')).rejects.toMatchObject(unavailable);
    await pool.close(0);
    await running;
    await proxy.stop();
  });

  it('makes no further connection, for what waits or for a ping', async () => {
    let connections = 0;
    const silent = createServer((socket) => {
      connections += 1;
      socket.resume();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const url = `postgres://nobody@127.0.0.1:${port}/none`;
    const pool = openDatabase({ url, poolMax: 1, connectTimeoutMs: 500 });
    const waiting = [1, 2, 3].map((n) =>
      expect(pool.rows('select $1::int', [n])).rejects.toMatchObject(unavailable),
    );
    await until(() => connections === 1);
    await pool.close(0);
    await expect(pool.ping()).rejects.toMatchObject(unavailable);
    await Promise.all(waiting);
    expect(connections).toBe(1);
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe('idle connections', () => {
  it('are closed after a while, and made again when needed', async () => {
    const pool = open({ idleTimeoutMs: 10, applicationName: 'idler' });
    await Promise.all([1, 2, 3].map(() => pool.rows('select pg_sleep(0.01)')));
    const left = () => database.sql`select from pg_stat_activity where application_name = 'idler'`;
    while ((await left()).length > 0);
    expect(await pool.rows('select 1')).toEqual([[1]]);
  });
});

describe('transactions', () => {
  beforeAll(() => database.sql`create table written (n int)`);
  beforeEach(() => database.sql`truncate written`);
  const written = async () => (await database.sql`select n from written`).map((row) => row['n']);

  it('commit when the work resolves, and return its value', async () => {
    const value = await open().transaction(async (sql) => {
      await sql.rows('insert into written values (1)');
      return 'done';
    });
    expect([value, await written()]).toEqual(['done', [1]]);
  });

  it('roll back when the work rejects, with its error', async () => {
    const reason = new Error('no');
    const attempt = open().transaction(async (sql) => {
      await sql.rows('insert into written values (1)');
      throw reason;
    });
    await expect(attempt).rejects.toBe(reason);
    expect(await written()).toEqual([]);
  });

  it('roll back, and say so, when a statement failed that the work made light of', async () => {
    const attempt = open().transaction(async (sql) => {
      await sql.rows('insert into written values (1)');
      await sql.rows('select 1 / 0').catch(() => undefined);
      return 'done';
    });
    await expect(attempt).rejects.toMatchObject({ code: '22012' });
    expect(await written()).toEqual([]);
  });

  it('refuse what is sent after they have ended', async () => {
    const session = await open().transaction(async (sql) => ({ sql }));
    await expect(session.sql.rows('insert into written values (1)')).rejects.toThrow('had ended');
    expect(await written()).toEqual([]);
  });

  it('see what others commit, whatever the default of the database', async () => {
    const url = `${database.url}?pooler=transaction`;
    const name = database.sql(new URL(database.url).pathname.slice(1));
    await database.sql`alter database ${name} set default_transaction_isolation = 'serializable'`;
    await open({ url }).transaction(async (sql) => {
      expect(await sql.rows('select count(*) from written')).toEqual([[0]]);
      await database.sql`insert into written values (1)`;
      expect(await sql.rows('select count(*) from written')).toEqual([[1]]);
    });
    await database.sql`alter database ${name} reset default_transaction_isolation`;
  });

  it('write nothing when a statement fails behind one that is sent with it, or the commit fails', async () => {
    const pool = open({ poolMax: 1 });
    const insert = (sql: Sql) => sql.rows('insert into written values ($1::int)', [2]);
    const failing = pool.transaction((sql) =>
      Promise.all([insert(sql), sql.rows('select 10 / (3 - n) from generate_series(1, 5) n')]),
    );
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    await database.sql`alter table written add constraint once unique (n) deferrable initially deferred`;
    const twice = pool.transaction((sql) => Promise.all([insert(sql), insert(sql)]));
    await expect(twice).rejects.toMatchObject({ code: '23505' });
    expect([await pool.rows('select 7'), await written()]).toEqual([[[7]], []]);
    await database.sql`alter table written drop constraint once`;
  });

  it('keep the SQLSTATE of what failed', async () => {
    const attempt = open().transaction((sql) => sql.rows('select 1 / 0'));
    await expect(attempt).rejects.toMatchObject({ code: '22012' });
  });
});

describe('an outage', () => {
  it('is unavailable while it lasts, and over when it is', async () => {
    const proxy = await startProxy(new URL(database.url));
    const pool = open({ url: proxy.url });
    await pool.rows('select 1');
    await proxy.stop();
    await expect(pool.rows('select 1')).rejects.toMatchObject(unavailable);
    await expect(pool.transaction((sql) => sql.rows('select 1'))).rejects.toMatchObject(unavailable);
    await proxy.start();
    expect(await pool.rows('select 1')).toEqual([[1]]);
    expect(await pool.transaction((sql) => sql.rows('select 2'))).toEqual([[2]]);
    await pool.close();
    await proxy.stop();
  });

  it('that takes a connection away in the middle of a statement fails that statement alone', async () => {
    const pool = open({ poolMax: 1 });
    const pid = await backendOf(pool);
    const stuck = expect(pool.rows('select pg_sleep(30)')).rejects.toMatchObject(unavailable);
    await terminate(pid);
    await stuck;
    expect(await pool.rows('select 1')).toEqual([[1]]);
  });

  it('that takes a connection away inside a transaction does not take the process along', async () => {
    const pool = open({ poolMax: 1 });
    const between = pool.transaction(async (sql) => {
      await terminate(await backendOf(sql));
      await expect(refusal(sql)).resolves.toMatchObject(unavailable);
      return sql.rows('select 1');
    });
    await expect(between).rejects.toMatchObject(unavailable);
    const during = pool.transaction((sql) => sql.rows('select pg_terminate_backend(pg_backend_pid())'));
    await expect(during).rejects.toMatchObject(unavailable);
    expect(await pool.transaction((sql) => sql.rows('select 1'))).toEqual([[1]]);
    expect(pool.load).toEqual({ active: 0, waiting: 0 });
  });

  it('that nobody announces is given up after the statement timeout', async () => {
    const proxy = await startProxy(new URL(database.url));
    const pool = open({ url: proxy.url, readTimeoutMs: 500 * timeoutFactor });
    await pool.rows('select 1');
    proxy.hold();
    await expect(pool.rows('select 1')).rejects.toMatchObject(unavailable);
    proxy.release();
    expect(await pool.rows('select 1')).toEqual([[1]]);
    await pool.close();
    await proxy.stop();
  });
});

/** The error of the first statement that fails: the server's end of a connection takes a moment. */
async function refusal(sql: Sql): Promise<unknown> {
  for (;;) {
    try {
      await sql.rows('select 1');
    } catch (error) {
      return error;
    }
  }
}
