import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresNode, postgresTools, startProxy, timeoutFactor } from '@platform/development/testing';
import { type Database, type DatabaseOptions, migrate, openDatabase } from '@platform/postgres';
import { fsck, openStore } from './index.ts';

// Skipped where Debian's PostgreSQL is not installed: the embedded one has no pg_basebackup.
const described = postgresTools === null ? describe.skip : describe;

described('a primary and a hot standby', () => {
  let primary: PostgresNode;
  let standby: PostgresNode;
  const opened: Database[] = [];

  beforeEach(async () => {
    primary = await PostgresNode.primary();
    await migrate({ url: primary.url });
    standby = await PostgresNode.standbyOf(primary);
  }, 60_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close(0)));
    await Promise.all([primary.remove(), standby.remove()]);
  }, 60_000);

  const open = (url: string, options: Partial<DatabaseOptions> = {}) => {
    const each = openDatabase({ url, ...options });
    opened.push(each);
    return each;
  };
  const bothHosts = (attributes: string) =>
    `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres${attributes}`;
  const isPrimary = (sql: Pick<Database, 'rows'>) => sql.rows('select not pg_is_in_recovery()');
  const writes = async (sql: Database) => {
    const since = performance.now();
    while (performance.now() - since < 20_000 * timeoutFactor) {
      try {
        await sql.rows(`update leases set token = token where name = 'collector'`);
        return performance.now() - since;
      } catch {
        await sleep(20);
      }
    }
    throw new Error('no write is accepted');
  };

  it.each(['', '?target_session_attrs=read-write', '?target_session_attrs=primary'])(
    'are told apart, whichever stands first in the URL, with "%s"',
    async (attributes) => {
      const sql = open(bothHosts(attributes), { poolMax: 3 });
      const answers = await Promise.all(Array.from({ length: 9 }, () => isPrimary(sql)));
      expect(answers).toEqual(Array(9).fill([[true]]));
      expect(await migrate({ url: bothHosts(attributes) })).toEqual([]);
    },
  );

  it('never serve from the standby, not even while an address leads there', async () => {
    const proxy = await startProxy(new URL(standby.url));
    const sql = open(proxy.url);
    await expect(sql.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(sql.rows('select 1')).rejects.toMatchObject({ code: 'unavailable' });
    proxy.target = new URL(primary.url);
    await sql.ping();
    expect(await Promise.all([1, 2, 3].map(() => isPrimary(sql)))).toEqual(Array(3).fill([[true]]));
    await proxy.stop();
    // The check of the database only reads, and may spare the primary.
    expect(await fsck({ url: standby.url })).toEqual([]);
  });

  it('change roles: writes go on within five seconds, and so do wake-ups', async () => {
    const url = bothHosts('?target_session_attrs=read-write');
    const sql = open(url);
    await writes(sql);
    const store = openStore({ url, poolMax: 1 });
    let wakeUps = 0;
    const listening = await store.collectorWakeUps.listen(() => {
      wakeUps += 1;
    });
    while (wakeUps === 0) await sleep(20);
    // The standby that was asked first ends no connection to the primary: that listening begins again is a wake-up, too.
    await sleep(1_000);
    const before = wakeUps;
    expect(before).toBe(1);
    await primary.kill();
    await expect(sql.rows('select 1')).rejects.toMatchObject({ code: 'unavailable' });
    await standby.promote();
    expect(await writes(sql)).toBeLessThan(5_000 * timeoutFactor);
    await sql.ping();
    while (wakeUps === before) await sleep(20);
    await listening.close();
    await store.close();
  }, 30_000);

  it('change roles while the old primary is frozen: it is passed over', async () => {
    const sql = open(bothHosts(''));
    await writes(sql);
    primary.freeze();
    const stuck = sql.rows('select 1').catch((error) => error);
    await standby.promote();
    const since = performance.now();
    expect(await stuck).toMatchObject({ code: 'unavailable' });
    await writes(sql);
    expect(performance.now() - since).toBeLessThan(6_000 * timeoutFactor);
  }, 30_000);
});

described('a frozen server', () => {
  let server: PostgresNode;
  beforeAll(async () => {
    server = await PostgresNode.primary();
  }, 60_000);
  afterAll(() => server.remove());

  it.each(['all', 'postmaster'] as const)(
    'fails every request within ten seconds and answers as soon as it goes on (%s)',
    async (which) => {
      const sql = openDatabase({ url: server.url, poolMax: 4 });
      await sql.rows('create table if not exists written (n int)');
      server.freeze(which);
      const since = performance.now();
      const work = Array.from({ length: 40 }, (_, n) =>
        n % 2 === 1 ? sql.rows('select 1') : sql.rows('insert into written values (1)'),
      );
      const results = await Promise.allSettled(work);
      expect(performance.now() - since).toBeLessThan(10_000 * timeoutFactor);
      if (which === 'all') {
        const codes = results.map((each) => each.status === 'rejected' && each.reason.code);
        expect(new Set(codes)).toEqual(new Set(['unavailable', 'outcome_unknown']));
      }
      server.thaw();
      const thawed = performance.now();
      while ((await sql.rows('select 1').catch(() => null)) === null) await sleep(20);
      expect(performance.now() - thawed).toBeLessThan(3_000 * timeoutFactor);
      await sql.close();
    },
    40_000,
  );
});
