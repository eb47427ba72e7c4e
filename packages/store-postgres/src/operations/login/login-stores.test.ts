import { createIdentifiers, nodeRandomBytes } from '@platform/crypto';
import { testDatabase } from '@platform/development/testing';
import { systemClock } from '@platform/kernel';
import { describeAuthorizationCodeStore } from '@platform/kernel/conformance';
import {
  createAuthorizationCodeStore,
  createDeviceAuthorizationStore,
  createUsedStates,
  createUserDirectory,
  type Database,
  migrate,
  openDatabase,
} from '../../index.ts';

const testing = testDatabase({ migrate: (url) => migrate({ url }) });

describe('the stores of logins on PostgreSQL', () => {
  let database: Database;

  beforeAll(() => {
    database = openDatabase({ url: testing.url, poolMax: 8 });
  });
  afterAll(() => database.close());

  describe('the authorization code store', () => {
    describeAuthorizationCodeStore(async () => {
      await testing.sql`truncate login_once`;
      return createAuthorizationCodeStore(database, 'login');
    }, [null]);

    it('deletes expired records while another transaction deletes others, without waiting for it', async () => {
      await testing.sql`truncate login_once`;
      const codes = createAuthorizationCodeStore(database, 'login');
      for (const digit of ['1', '2', '3', '4']) {
        await codes.save({ hash: digit.repeat(64), owner: null, sealed: 's', expiresAt: Number(digit) });
      }
      await testing.sql.begin(async (sql) => {
        await sql`select hash from login_once order by expires_at limit 2 for update`;
        expect(await codes.deleteExpired(1000, 10)).toBe(2);
      });
      expect(await codes.deleteExpired(1000, 10)).toBe(2);
    });
  });

  describe('the used states', () => {
    it('accept a state from one of concurrent callbacks, until it is deleted as expired', async () => {
      await testing.sql`truncate login_once`;
      const states = createUsedStates(database);
      const codes = createAuthorizationCodeStore(database, 'login');
      const hash = '1'.repeat(64);
      const clock = () => testing.sql<{ at: Date }[]>`select clock_timestamp() as at`;
      const [before] = await clock();
      const marked = await Promise.all([1, 2, 3].map(() => states.markUsed(hash, 100_000)));
      const [after] = await clock();
      const [at = 0, ...others] = marked.filter((time) => time !== null);
      expect(others).toEqual([]);
      // Rounded down to milliseconds.
      expect(at).toBeGreaterThanOrEqual((before?.at.getTime() ?? 0) - 1);
      expect(at).toBeLessThanOrEqual(after?.at.getTime() ?? 0);
      expect(await codes.deleteExpired(99_999, 10)).toBe(0);
      expect(await states.markUsed(hash, 100_000)).toBeNull();
      expect(await codes.deleteExpired(100_000, 10)).toBe(1);
    });

    // Attack: a code of the value of a used state would make the state usable again when it is consumed.
    it('are not found as authorization codes', async () => {
      await testing.sql`truncate login_once`;
      const states = createUsedStates(database);
      const codes = createAuthorizationCodeStore(database, 'login');
      const key = { hash: '1'.repeat(64), owner: null };
      await states.markUsed(key.hash, 100_000);
      expect([await codes.peek(key, 1), await codes.consume(key, 1)]).toEqual([null, null]);
      expect(await states.markUsed(key.hash, 100_000)).toBeNull();
    });
  });

  describe('the logins of devices', () => {
    const hour = 3_600_000;
    const device = {
      clientId: 'platform-cli',
      scope: 'openid',
      address: '192.0.2.7',
      userAgent: 'cli',
      deviceHash: 'd'.repeat(64),
      userCodeHash: 'a'.repeat(64),
      interval: 5,
      createdAt: 1000,
      expiresAt: 601_000,
    };
    const devices = () => createDeviceAuthorizationStore(database);
    beforeEach(async () => {
      await testing.sql`truncate login_once, device_authorizations`;
      expect(await devices().save(device)).toBe(true);
    });

    it('have a user code of their own', async () => {
      expect(await devices().save({ ...device, deviceHash: 'e'.repeat(64) })).toBe(false);
    });

    it('are decided once, and what the device gets is stored with the decision', async () => {
      const decisions = await Promise.all([
        devices().approve(device.userCodeHash, 'first', 2000),
        devices().approve(device.userCodeHash, 'second', 2000),
        devices().deny(device.userCodeHash, 2000),
      ]);
      expect(decisions.filter(Boolean)).toHaveLength(1);
      const { state } = (await devices().find(device.deviceHash)) ?? {};
      const codes = createAuthorizationCodeStore(database, 'login');
      const sealed = await codes.peek({ hash: device.deviceHash, owner: null }, 2000);
      expect([state, sealed]).toEqual(
        decisions[2] ? ['denied', null] : ['approved', decisions[0] ? 'first' : 'second'],
      );
      expect(await devices().findPending(device.userCodeHash, 2000)).toBeNull();
    });

    it('cannot be decided when they have expired, and stay for an hour so that devices learn of it', async () => {
      const { userCodeHash, deviceHash, expiresAt } = device;
      expect(await devices().findPending(userCodeHash, expiresAt)).toBeNull();
      expect(await devices().approve(userCodeHash, 'sealed', expiresAt)).toBe(false);
      expect(await devices().deny(userCodeHash, expiresAt)).toBe(false);
      expect(await devices().deleteExpired(expiresAt + hour - 1, 10)).toBe(0);
      expect(await devices().find(deviceHash)).toEqual({ state: 'pending', expiresAt });
      expect(await devices().deleteExpired(expiresAt + hour, 10)).toBe(1);
      expect(await devices().find(deviceHash)).toBeNull();
    });

    it('are asked about once in an interval, which grows with each poll that is too early', async () => {
      const at = (seconds: number) => devices().poll(device.deviceHash, 1000 + seconds * 1000);
      expect([await at(0), await at(5), await at(9)]).toEqual([true, true, false]);
      expect([await at(18), await at(33), await at(48)]).toEqual([false, true, true]);
      const both = await Promise.all([at(63), at(63)]);
      expect(both.filter(Boolean)).toHaveLength(1);
    });
  });

  describe('the user directory', () => {
    it('gives concurrent first logins of a user one uid, and updates the e-mail address', async () => {
      const users = createUserDirectory(database, createIdentifiers(nodeRandomBytes, systemClock));
      const user = { issuer: 'https://idp.example', subject: 's1' };
      const logins = await Promise.all(
        [1, 2, 3, 4].map((n) => users.upsert({ ...user, email: `${n}@example.dev` })),
      );
      expect(new Set(logins.map(({ uid }) => uid)).size).toBe(1);
      const other = await users.upsert({ ...user, subject: 's2', email: '1@example.dev' });
      expect(other.uid).not.toBe(logins[0]?.uid);
      await users.upsert({ ...user, email: 'new@example.dev' });
      const rows = await testing.sql`select email from users where subject = 's1'`;
      expect(rows.map((row) => row['email'])).toEqual(['new@example.dev']);
    });
  });
});
