import { testPools } from '../test/pools.ts';
import type { Connection } from './connection.ts';
import type { Database } from './index.ts';
import { Pipeline } from './pipeline.ts';

const { database, open } = testPools();

const pidOf = async ({ reads }: Database, seconds = 0) =>
  (await reads.rows('select pg_backend_pid(), pg_sleep($1::float8)', [seconds]))[0]?.[0] as number;
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

describe('reads of the same moment', () => {
  it('share a connection, and leave the others of the pool to whoever may have to wait', async () => {
    const pool = open();
    const together = times(4, () => pidOf(pool));
    expect(pool.load).toEqual({ active: 1, waiting: 0 });
    expect(new Set(await together).size).toBe(1);
    expect(pool.load).toEqual({ active: 0, waiting: 0 });
  });

  it('are at most four on one connection, so that few stand behind a slow one', async () => {
    const pool = open();
    const counts = new Map<number, number>();
    for (const pid of await times(12, () => pidOf(pool, 0.01))) counts.set(pid, (counts.get(pid) ?? 0) + 1);
    expect([...counts.values()]).toEqual([4, 4, 4]);
  });

  it('get whole answers, each its own, when one between them fails half-way', async () => {
    const pool = open();
    await pool.reads.rows('select 1');
    const range = (to: number) => pool.reads.rows('select n from generate_series(1, $1::int) n', [to]);
    const failing = pool.reads.rows('select 10 / (3 - n) from generate_series(1, 5) n');
    const [before, failed, after, last] = await Promise.allSettled([range(2), failing, range(3), range(1)]);
    expect(before).toMatchObject({ value: [[1], [2]] });
    expect(failed).toMatchObject({ reason: { code: '22012' } });
    expect(after).toMatchObject({ value: [[1], [2], [3]] });
    expect(last).toMatchObject({ value: [[1]] });
  });

  it('go on with another connection when theirs is lost', async () => {
    const pool = open();
    const lost = await pidOf(pool);
    const cut = times(3, () => pidOf(pool, 10).catch((error) => error.code));
    await database.sql`select pg_terminate_backend(${lost})`;
    expect(await cut).toEqual(Array(3).fill('unavailable'));
    expect(await pidOf(pool)).not.toBe(lost);
    expect(pool.load).toEqual({ active: 0, waiting: 0 });
  });

  it('wait for a connection together, and are told together that none is to be had', async () => {
    const pool = open({ poolMax: 1, maxWaiting: 0 });
    await pool.transaction(async (sql) => {
      await sql.rows('select 1');
      const refused = await times(3, () => pidOf(pool).catch((error) => error.code));
      expect(refused).toEqual(Array(3).fill('unavailable'));
    });
    expect(await pidOf(pool)).toEqual(expect.any(Number));
  });

  it.each([
    [60_000, 1],
    [0, 3],
  ])('may join a connection for %d ms: three that overlap take %d', async (maxTenureMs, taken) => {
    const given: unknown[] = [];
    const connections: object[] = [];
    const pool = {
      async take() {
        connections.push({});
        return connections.at(-1) as Connection;
      },
      give: (connection: Connection) => void given.push(connection),
    };
    const ends: (() => void)[] = [];
    const run = () => new Promise<readonly never[]>((resolve) => ends.push(() => resolve([])));
    const pipeline = new Pipeline(pool, run, { maxTogether: 4, maxTenureMs });
    const running = times(3, () => pipeline.rows('select 1'));
    expect(connections).toHaveLength(taken);
    while (ends.length < 3) await Promise.resolve();
    for (const end of ends) end();
    await running;
    expect(given).toEqual(connections);
  });
});
