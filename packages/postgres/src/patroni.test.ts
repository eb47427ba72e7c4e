import { setTimeout as sleep } from 'node:timers/promises';
import { PatroniCluster, patroniInstalled, timeoutFactor } from '@platform/development/testing';
import { migrate, openDatabase } from './index.ts';

// Skipped where Debian's packages patroni, etcd-server and postgresql are not installed.
const described = patroniInstalled ? describe : describe.skip;

described('three servers under Patroni with a synchronous standby', () => {
  let cluster: PatroniCluster;
  let stop = async () => {};
  beforeAll(async () => {
    cluster = await PatroniCluster.start();
  }, 90_000);
  afterEach(() => stop(), 30_000);
  afterAll(() => cluster.stop(), 30_000);

  it('lose no acknowledged write and apply none twice, when the primary is killed and when roles are handed over', async () => {
    const { url } = cluster;
    await migrate({ url: `${url}?target_session_attrs=read-write` });
    const sql = openDatabase({ url: `${url}?target_session_attrs=read-write`, poolMax: 8 });
    await sql.rows('create table written (n int)');
    const outcomes = new Map<number, string>();
    const codes = new Set<string>();
    let [next, lastOk, longestGap, over] = [0, performance.now(), 0, false];
    const writer = async () => {
      while (!over) {
        next += 1;
        const n = next;
        try {
          if (n % 2 === 0) await sql.rows('insert into written values ($1::int)', [n]);
          else await sql.transaction((inside) => inside.rows('insert into written values ($1::int)', [n]));
          outcomes.set(n, 'ok');
          const now = performance.now();
          longestGap = Math.max(longestGap, now - lastOk);
          lastOk = now;
        } catch (error) {
          const { code } = error as { code: string };
          codes.add(code);
          outcomes.set(n, code);
          await sleep(20);
        }
        await sleep(5);
      }
    };
    const disturb = async () => {
      await sleep(1_000);
      const killed = await cluster.killPrimary();
      const since = performance.now();
      while (!over && lastOk < since + 500) await sleep(50);
      cluster.restart(killed);
      await cluster.healthy();
      cluster.switchOver();
      const handedOver = performance.now();
      await sleep(1_000);
      while (!over && lastOk < handedOver + 1_000) await sleep(50);
    };
    const writers = Array.from({ length: 8 }, writer);
    // Whatever fails, writers that went on would keep the test worker from ending.
    stop = async () => {
      over = true;
      await Promise.all(writers);
      await sql.close();
    };
    await disturb();
    over = true;
    await Promise.all(writers);

    const stored = (await sql.rows<readonly [number]>('select n from written')).map(([n]) => n);
    const found = new Set(stored);
    expect(stored.length).toBe(found.size);
    const withOutcome = (outcome: string) =>
      [...outcomes].filter(([, each]) => each === outcome).map(([n]) => n);
    expect(withOutcome('ok').filter((n) => !found.has(n))).toEqual([]);
    // Nothing was done where the answer says so.
    expect(withOutcome('unavailable').filter((n) => found.has(n))).toEqual([]);
    expect([...codes].filter((code) => code !== 'unavailable' && code !== 'outcome_unknown')).toEqual([]);
    // The lease of a lost primary takes up to 20 s to end.
    expect(longestGap).toBeLessThan(30_000 * timeoutFactor);
  }, 120_000);
});
