import { createHash, randomUUID } from 'node:crypto';
import { waitingForLocks, whileHeld } from '@platform/development/testing';
import { Contention } from '@platform/kernel';
import { sessionKey } from '@platform/tokens';
import { testStore } from '../../../test/store.ts';
import { createSessionStore } from './session-store.ts';

const fixture = testStore();
const once = () => ({
  hash: createHash('sha256').update(randomUUID()).digest('hex'),
  expiresAt: Date.now() + 60_000,
});
const sessions = () => createSessionStore(fixture.store.database, { uid: () => randomUUID() });

it('a session that its user and the identity provider end at once is ended for both', async () => {
  const account = { issuer: 'https://login.example.dev', subject: randomUUID() };
  const user = { uid: randomUUID(), email: 'user@example.dev', userAgent: '', seconds: 3_600 };
  const start = () => sessions().start({ ...account, ...user, providerSession: 'p1' });
  const [first = '', second = ''] = [await start(), await start()].map(({ id }) => id).sort();
  const hold = `insert into session_revocations values ('${sessionKey(first)}', now(), now(), now())`;
  await whileHeld(fixture.database, [hold], async ({ release }) => {
    // It has deleted both sessions and waits to store the end of the first one.
    const logout = { ...account, providerSession: 'p1', keepSeconds: 3_600, once: once() };
    const byProvider = sessions().endByProvider(logout);
    await waitingForLocks(fixture.database, 1);
    const byUser = sessions().end({ id: second, expiresAt: Date.now() / 1_000 + 3_600 });
    await waitingForLocks(fixture.database, 2);
    await release();
    await Promise.all([byUser, byProvider]);
  });
  for (const id of [first, second]) {
    expect(await sessions().isRevoked([sessionKey(id)], Date.now())).toBe(true);
    expect(await sessions().find(id)).toBeNull();
  }
});

// Accident: the provider logs somebody out while the database is busy, tries again as it was told, and is refused: the sessions go on.
it('a logout by the identity provider that failed can be sent again, and one that did not counts once', async () => {
  const account = { issuer: 'https://login.example.dev', subject: randomUUID() };
  const user = { uid: randomUUID(), email: 'user@example.dev' };
  const rest = { userAgent: '', seconds: 3_600, providerSession: 'p2' };
  const { id } = await sessions().start({ ...account, ...user, ...rest });
  const logout = { ...account, providerSession: 'p2', keepSeconds: 3_600, once: once() };
  await whileHeld(fixture.database, [`select from sessions where id = '${id}' for update`], async () => {
    await expect(sessions().endByProvider(logout)).rejects.toThrow(Contention);
  });
  expect(await sessions().endByProvider(logout)).toEqual([user]);
  expect(await sessions().find(id)).toBeNull();
  expect(await sessions().endByProvider(logout)).toBeNull();
});
