import { testStore } from '../../../test/store.ts';

const fixture = testStore({ poolMax: 2 });
const { database } = fixture;

// Accident: a machine is lost with the database and the leader on it, and the clock of the standby is a day behind.
describe.each([
  ['collector', 3_600],
  ['change-ticker', 9],
] as const)('the lease of the %s', (name, seconds) => {
  const acquire = async (holder: string) => {
    const { collectorLease, tickerLease } = fixture.store;
    return (await (name === 'collector' ? collectorLease : tickerLease).acquire(holder, seconds)).held;
  };

  it('is held for its time', async () => {
    expect(await acquire('a')).toBe(true);
    expect(await acquire('b')).toBe(false);
  });

  it('is free when it ends later than any lease, by a clock that was ahead', async () => {
    await acquire('a');
    await database.sql`update leases set expires_at = expires_at + interval '1 day' where name = ${name}`;
    expect(await acquire('b')).toBe(true);
    expect(await acquire('a')).toBe(false);
  });
});
