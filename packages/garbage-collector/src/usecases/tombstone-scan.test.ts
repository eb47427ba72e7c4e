import { fakeClock } from '@platform/development/testing';
import type { GarbageCollectorStore, Tombstone, TombstoneRange } from '../ports/garbage-collector-store.ts';
import { TombstoneScan } from './tombstone-scan.ts';

const start = Date.UTC(2026, 0, 1);

/** A scan over tombstones made a second apart; every page takes `takesMs`. */
function setUp(count: number, takesMs = 0) {
  const clock = fakeClock();
  const rows: Tombstone[] = Array.from({ length: count }, (_, index) => ({
    uid: `u${String(index).padStart(4, '0')}`,
    since: start + index * 1_000,
    revision: 1,
  }));
  const asked: TombstoneRange[] = [];
  const tombstones: GarbageCollectorStore['tombstones'] = async (range, limit) => {
    asked.push(range);
    clock.advance(takesMs);
    const { after, until } = range;
    return rows
      .filter(
        ({ since, uid }) =>
          after === null || since > after.since || (since === after.since && uid > after.uid),
      )
      .filter(({ since }) => until === null || since <= until)
      .slice(0, limit);
  };
  const scan = new TombstoneScan({ tombstones } as GarbageCollectorStore, clock);
  const readAll = async () => {
    const uids: string[] = [];
    for (let page = await scan.nextPage(10, 0); page !== null; page = await scan.nextPage(10, 0)) {
      uids.push(...page.map(({ uid }) => uid));
    }
    return uids;
  };
  return { clock, rows, scan, asked, readAll };
}

describe('the scan of tombstones', () => {
  it('reads everything from the oldest on, page by page', async () => {
    const { scan, rows, readAll, asked } = setUp(25);
    scan.poll();
    expect(await readAll()).toEqual(rows.map(({ uid }) => uid));
    expect(asked).toHaveLength(3);
  });

  it('finds the tombstones of a wake-up without reading older ones', async () => {
    const { scan, readAll } = setUp(25);
    scan.at(start + 17_000);
    expect(await readAll()).toEqual(['u0017']);
  });

  it('rests nine times as long as it took, and reads only the youngest minute meanwhile', async () => {
    const { scan, clock, rows, readAll } = setUp(200, 100);
    scan.poll();
    await readAll();
    scan.poll();
    expect(await readAll()).toEqual(rows.slice(139).map(({ uid }) => uid));
    clock.advance(21 * 100 * 9);
    scan.poll();
    expect(await readAll()).toHaveLength(200);
  });

  it('rests longer when collecting what it found changed nothing', async () => {
    const { scan, clock, readAll } = setUp(200);
    scan.poll();
    await scan.nextPage(10, 0);
    clock.advance(5_000);
    await readAll();
    clock.advance(44_999);
    scan.poll();
    expect(await readAll()).toHaveLength(61);
    clock.advance(1);
    scan.poll();
    expect(await readAll()).toHaveLength(200);
  });

  it('reads everything when it is told to, even while it rests', async () => {
    const { scan, readAll } = setUp(200, 100);
    scan.everything();
    await readAll();
    scan.everything();
    expect(await readAll()).toHaveLength(200);
  });

  it('begins where the last one found its oldest tombstone, less the time that a commit may take', async () => {
    const { scan, rows, readAll, asked } = setUp(200);
    scan.poll();
    await readAll();
    rows.splice(0, 100);
    scan.poll();
    await readAll();
    expect(scan.oldest).toBe(start + 40_000);
    asked.length = 0;
    scan.poll();
    expect(await readAll()).toEqual(rows.map(({ uid }) => uid));
    expect(asked[0]).toMatchObject({ after: { since: start + 40_000 } });
  });

  it('begins near the youngest tombstone that it has seen when the last one found none', async () => {
    const { scan, rows, readAll, asked } = setUp(200);
    for (let scans = 0; scans < 2; scans += 1) {
      scan.poll();
      await readAll();
      rows.length = 0;
    }
    asked.length = 0;
    scan.poll();
    await readAll();
    expect(asked).toMatchObject([{ after: { since: start + 139_000 } }]);
  });

  it('begins at the beginning when everything is asked for, and after its state was dropped', async () => {
    const { scan, readAll, asked } = setUp(25);
    for (const request of [() => scan.poll(), () => scan.everything(), () => scan.reset()]) {
      asked.length = 0;
      request();
      await readAll();
      expect(asked[0]).toMatchObject({ after: null });
    }
  });

  it('goes on when it is polled, and starts again when everything is asked for', async () => {
    const { scan, readAll } = setUp(25);
    scan.poll();
    await scan.nextPage(10, 0);
    scan.poll();
    expect(await readAll()).toHaveLength(15);
    scan.everything();
    const page = scan.nextPage(10, 0);
    scan.everything();
    await page;
    expect(await readAll()).toHaveLength(25);
  });

  it('does not count the time in which something was written', async () => {
    const { scan, clock, readAll } = setUp(200);
    scan.poll();
    await scan.nextPage(10, 0);
    clock.advance(5_000);
    await scan.nextPage(10, 7);
    while ((await scan.nextPage(10, 7)) !== null);
    scan.poll();
    expect(await readAll()).toHaveLength(200);
  });

  it('reads what a wake-up names before it goes on', async () => {
    const { scan, readAll } = setUp(25);
    scan.poll();
    await scan.nextPage(10, 0);
    scan.at(start + 24_000);
    expect((await readAll())[0]).toBe('u0024');
  });

  it('reads everything rather than keeping more wake-ups than the bound', async () => {
    const { scan, readAll, asked } = setUp(25);
    for (let moment = 0; moment <= 10_000; moment += 1) scan.at(start + moment);
    expect(await readAll()).toHaveLength(25);
    expect(asked).toHaveLength(3);
  });
});
