import { randomUUID } from 'node:crypto';
import { sessionKey, userKey } from '@platform/tokens';
import { testStore } from '../../../test/store.ts';
import { createSessionStore } from './session-store.ts';

// Accidents: the clock of the database is set back, or a standby with a slower clock takes over; clocks of machines differ.

const fixture = testStore({ poolMax: 2 });
const { database } = fixture;
const sessions = () => createSessionStore(fixture.store.database, { uid: () => randomUUID() });

async function login() {
  const uid = randomUUID();
  const email = `${uid}@example.dev`;
  const account = { issuer: null, subject: null, providerSession: null };
  const rest = { userAgent: '', seconds: 3_600, authenticatedAt: Date.now() };
  const { id = '' } = (await sessions().start({ uid, email, ...account, ...rest })) ?? {};
  return { id, uid, email };
}

it('lists revocations of the last seconds, also when those before are from a clock that was an hour ahead', async () => {
  const first = await login();
  await sessions().end({ id: first.id, expiresAt: Date.now() / 1000 + 3_600 });
  await database.sql`update session_revocations set revoked_at = now() + interval '1 hour'`;
  const [newest] = await sessions().latestRevocations(1);
  const second = await login();
  await sessions().end({ id: second.id, expiresAt: Date.now() / 1000 + 3_600 });
  const since = { revokedAt: (newest?.revokedAt ?? 0) - 30_000, key: '', recentMs: 30_000 };
  const keys = (await sessions().revocationsSince(since, 10)).map(({ key }) => key);
  expect(keys).toEqual([sessionKey(second.id), sessionKey(first.id)]);
  const [place] = await sessions().revocationsSince(since, 1);
  expect(await sessions().revocationsSince(place ?? since, 10)).toMatchObject([
    { key: sessionKey(first.id) },
  ]);
});

it('signs out of sessions that started by a clock that was ahead', async () => {
  const { id, uid, email } = await login();
  const [row] = await database.sql`
    update sessions set created_at = now() + interval '1 hour' where id = ${id} returning created_at::text as started`;
  const startedAt = Date.parse(row?.['started']);
  await sessions().signOut({ uids: [uid], email, keepSeconds: 86_400 });
  expect(await sessions().isRevoked([userKey(uid)], startedAt)).toBe(true);
});

it('keeps a revocation for a while after its session has expired by the clock of the database', async () => {
  const { id } = await login();
  const now = await fixture.store.now();
  await sessions().end({ id, expiresAt: now / 1000 - 30 });
  await sessions().deleteExpired(now, 100);
  expect(await sessions().isRevoked([sessionKey(id)], now - 60_000)).toBe(true);
  await sessions().deleteExpired(now + 3_500_000, 100);
  expect(await sessions().isRevoked([sessionKey(id)], now - 60_000)).toBe(true);
  await sessions().deleteExpired(now + 3_600_000, 100);
  expect(await sessions().isRevoked([sessionKey(id)], now - 60_000)).toBe(false);
});
