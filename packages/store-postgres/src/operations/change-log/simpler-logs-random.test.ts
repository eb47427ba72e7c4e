import { setTimeout as delay } from 'node:timers/promises';
import { faultsOf, type Told } from '@platform/change-log/conformance';
import { randomWrites } from '../../../test/random-writes.ts';
import { given } from '../../../test/rows.ts';
import { drawNumbersEarly, readers, told } from '../../../test/simpler-logs.ts';
import { testStore } from '../../../test/store.ts';

/** The checker of the proofs against random writes: it finds out each of the simpler logs, and has nothing against this one. */
const fixture = testStore();
const { database } = fixture;

type Name = keyof typeof readers;

/** The most rounds until a simpler log has to be found out. One is enough nearly always. */
const maxRounds = 30;

/** Plays rounds until each log has the kind of fault that it is to have, with all of `reading` reading. Returns the kinds of faults of each. */
async function play(
  reading: readonly Name[],
  wanted: Partial<Readonly<Record<Name, string>>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  await database.sql`delete from resources`;
  for (const name of ['a', 'b', 'c']) await given(fixture.store, { name });
  await fixture.store.ticks.tick();
  const [before] = await database.sql`select coalesce(max(seq), 0)::int as seq from changes`;
  const streams = await Promise.all(
    reading.map(async (name) => ({ name, next: await readers[name](fixture), seen: [] as Told[] })),
  );
  const faults: Record<string, readonly string[]> = {};
  for (let round = 0; round < maxRounds; round += 1) {
    await randomWrites(database, async () => {
      for (const { next, seen } of streams) seen.push(...(await next()));
    });
    const stored = told(
      await database.sql`select uid, revision::int, removed from changes where seq > ${before?.['seq']}`,
    );
    for (const { name, next, seen } of streams) {
      // Transactions of other databases in the cluster hold this reader up for as long as they run.
      for (
        let tries = 0;
        name === 'byTransaction' && seen.length < stored.length && tries < 100;
        tries += 1
      ) {
        await delay(100);
        seen.push(...(await next()));
      }
      faults[name] = [...new Set(faultsOf(seen, stored).map((fault) => fault.replace(/^\S+ /, '')))];
    }
    if (Object.entries(wanted).every(([name, fault]) => faults[name]?.includes(fault))) break;
  }
  return faults;
}

describe('under random writes', () => {
  it('this log tells every revision once and in order, while simpler readers of it lose and disorder some', async () => {
    const faults = await play(['ticks', 'aboveTheLastNumber', 'byTransaction'], {
      aboveTheLastNumber: 'is missing',
      byTransaction: 'came after a later one',
    });
    expect(faults).toMatchObject({
      ticks: [],
      aboveTheLastNumber: expect.arrayContaining(['is missing']),
      byTransaction: expect.arrayContaining(['came after a later one']),
    });
  }, 120_000);

  it('numbers that are drawn before the lock of the row bring revisions in disorder', async () => {
    const restore = await drawNumbersEarly(fixture);
    try {
      const faults = await play(['ticks'], { ticks: 'came after a later one' });
      expect(faults['ticks']).toContain('came after a later one');
    } finally {
      await restore();
    }
  }, 120_000);
});
