import { faultsOf, type Told } from '@platform/change-log/conformance';
import { until } from '@platform/development/testing';
import { races } from '../../../test/racing-writes.ts';
import { given } from '../../../test/rows.ts';
import { drawNumbersEarly, readers, told } from '../../../test/simpler-logs.ts';
import { testStore } from '../../../test/store.ts';

/** Logs that are simpler than this one, and lose or disorder entries. The checker of the proofs has to find each of them out. */
const fixture = testStore();
const { database } = fixture;

/** The faults of a reader after a race. */
async function faultsAfter(
  race: keyof typeof races,
  reader: keyof typeof readers,
): Promise<readonly string[]> {
  await database.sql`delete from resources`;
  for (const name of ['a', 'b']) await given(fixture.store, { name });
  await fixture.store.ticks.tick();
  const next = await readers[reader](fixture);
  const [before] = await database.sql`select coalesce(max(seq), 0)::int as seq from changes`;
  const seen: Told[] = [];
  await races[race]?.(database, async () => void seen.push(...(await next())));
  const stored =
    await database.sql`select uid, revision::int, removed from changes where seq > ${before?.['seq']}`;
  expect(stored.length).toBeGreaterThan(1);
  // Transactions of other databases in the cluster hold this reader up for as long as they run.
  if (reader === 'byTransaction') {
    const hasRead = async () => {
      seen.push(...(await next()));
      return seen.length >= stored.length;
    };
    await until(hasRead, { seconds: 50 });
  }
  return faultsOf(seen, told(stored)).map((fault) => fault.replace(/^\S+ /, ''));
}

describe('under writes that race', () => {
  it.each(Object.keys(races))('%s: this log tells every revision once and in order', async (race) => {
    expect(await faultsAfter(race, 'ticks')).toEqual([]);
  });

  it('a reader that takes everything above its last number loses what commits late', async () => {
    expect(await faultsAfter('a transaction that commits late', 'aboveTheLastNumber')).toEqual([
      'is missing',
    ]);
  });

  it('the order of the transactions is not that of the revisions', async () => {
    expect(await faultsAfter('a transaction that writes another row first', 'byTransaction')).toEqual([
      'came after a later one',
    ]);
  });

  it('numbers that are drawn before the lock of the row are not in the order of the revisions', async () => {
    const restore = await drawNumbersEarly(fixture);
    try {
      expect(await faultsAfter('a statement that waits for a lock', 'ticks')).toEqual([
        'came after a later one',
      ]);
    } finally {
      await restore();
    }
    expect(await faultsAfter('a statement that waits for a lock', 'ticks')).toEqual([]);
  });
});
