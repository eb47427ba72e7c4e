import type { Connection } from './connection.ts';
import { PlanFreshness } from './plan-freshness.ts';

/** A pool of the given connections, handed out in turn, and what was done with them. */
function poolOf(count: number) {
  const scripts: string[][] = Array.from({ length: count }, () => []);
  const connections = scripts.map(
    (sent) =>
      ({ lost: false, script: async (text: string) => void sent.push(text) }) as unknown as Connection,
  );
  const idle = [...connections];
  const pool = {
    acquire: async () => idle.shift() as Connection,
    release: (connection: Connection) => void idle.push(connection),
  };
  return { pool, scripts };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('PlanFreshness', () => {
  it('lets every connection drop its plans once when a table has doubled', async () => {
    const { pool, scripts } = poolOf(2);
    let sizes = '1 4';
    const fresh = new PlanFreshness(pool, async () => sizes, 0);
    const use = async () => {
      fresh.release(await fresh.acquire());
      await settled();
    };
    for (let turn = 0; turn < 6; turn += 1) await use();
    const before = scripts.map(({ length }) => length);
    for (let turn = 0; turn < 4; turn += 1) await use();
    expect(scripts.map(({ length }) => length)).toEqual(before);
    sizes = '1 5';
    for (let turn = 0; turn < 6; turn += 1) await use();
    expect(scripts.map(({ length }, index) => length - (before[index] ?? 0))).toEqual([1, 1]);
    expect(scripts.flat().every((text) => text === 'discard plans')).toBe(true);
  });

  it('looks once an interval, however many connections are taken', async () => {
    const { pool } = poolOf(1);
    let looks = 0;
    const look = async () => {
      looks += 1;
      return '';
    };
    const fresh = new PlanFreshness(pool, look, 200);
    const end = performance.now() + 200;
    while (performance.now() <= end) await settled();
    const since = performance.now();
    for (let turn = 0; turn < 50; turn += 1) {
      fresh.release(await fresh.acquire());
      await settled();
    }
    // One of them is the first; a machine that pauses for an interval may look once more.
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThanOrEqual(1 + Math.floor((performance.now() - since) / 200));
  });

  it('hands out connections while the look at the tables fails or is not answered', async () => {
    const { pool } = poolOf(1);
    const answers = [Promise.reject(new Error('gone')), new Promise<string>(() => {})];
    const fresh = new PlanFreshness(pool, () => answers.shift() ?? Promise.resolve(''), 0);
    for (let turn = 0; turn < 4; turn += 1) {
      fresh.release(await fresh.acquire());
      await settled();
    }
    expect(answers).toHaveLength(0);
  });
});
