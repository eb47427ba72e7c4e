import { testDatabase } from '@platform/development/testing';
import { type Database, migrate, openDatabase } from '@platform/postgres';
import { createEncryptLimiter, deleteExpiredRateLimits } from './encrypt-limiter.ts';

const testing = testDatabase({ migrate: (url) => migrate({ url }) });

describe('the limit of encryptions', () => {
  let database: Database;
  beforeAll(() => {
    database = openDatabase({ url: testing.url, poolMax: 8 });
  });
  afterAll(() => database.close());

  it('holds over replicas: of concurrent requests just as many pass as are allowed', async () => {
    const replicas = [createEncryptLimiter(database, 5), createEncryptLimiter(database, 5)];
    const decisions = await Promise.all(
      Array.from({ length: 12 }, (_, index) => replicas[index % 2]?.take('user-1')),
    );
    expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(5);
    const refused = decisions.find((decision) => decision?.allowed === false);
    expect(refused).toMatchObject({ allowed: false });
    expect(refused && !refused.allowed && refused.retryAfterSeconds).toBeGreaterThan(3500);
  });

  it('counts each user apart', async () => {
    const limiter = createEncryptLimiter(database, 1);
    expect(await limiter.take('user-2')).toEqual({ allowed: true });
    expect(await limiter.take('user-3')).toEqual({ allowed: true });
    expect(await limiter.take('user-2')).toMatchObject({ allowed: false });
  });

  it('starts again when the hour is over, and expired counters are deleted', async () => {
    const limiter = createEncryptLimiter(database, 1);
    await limiter.take('user-4');
    await testing.sql`update rate_limits set expire = 1000 where key = 'encrypt:user-4'`;
    expect(await limiter.take('user-4')).toEqual({ allowed: true });
    await testing.sql`update rate_limits set expire = 1000 where key = 'encrypt:user-4'`;
    expect(await deleteExpiredRateLimits(database, Date.now(), 10)).toBe(1);
  });

  // Accident: the clock of a replica is behind, so its window has ended for the database, and its users begin another one.
  it('keeps counters whose window may not be over for a replica whose clock is behind', async () => {
    const limiter = createEncryptLimiter(database, 1);
    await limiter.take('user-7');
    expect(await deleteExpiredRateLimits(database, Date.now() + 4_200_000, 10)).toBe(0);
    expect(await limiter.take('user-7')).toMatchObject({ allowed: false });
    await testing.sql`delete from rate_limits`;
  });

  // Accident: the clock of a replica is a day ahead for a minute, and the user is refused for a day.
  it('starts again soon after the clock of a replica was ahead and was set back', async () => {
    const limiter = createEncryptLimiter(database, 1);
    await limiter.take('user-5');
    await testing.sql`update rate_limits set expire = expire + 86400000 where key = 'encrypt:user-5'`;
    await limiter.take('user-6');
    expect(await deleteExpiredRateLimits(database, Date.now(), 10)).toBe(1);
    expect(await limiter.take('user-5')).toEqual({ allowed: true });
    expect(await limiter.take('user-6')).toMatchObject({ allowed: false });
  });
});
