import { randomUUID } from 'node:crypto';
import { waitingForLocks, whileHeld } from '@platform/development/testing';
import { sessionKey } from '@platform/tokens';
import { testStore } from '../../../test/store.ts';
import { createSessionStore } from './session-store.ts';

const fixture = testStore();
const sessions = () => createSessionStore(fixture.store.database, { uid: () => randomUUID() });

it('a session that its user and the identity provider end at once is ended for both', async () => {
  const account = { issuer: 'https://login.example.dev', subject: randomUUID() };
  const user = { uid: randomUUID(), email: 'user@example.dev', userAgent: '', seconds: 3_600 };
  const start = () => sessions().start({ ...account, ...user, providerSession: 'p1' });
  const [first = '', second = ''] = [await start(), await start()].map(({ id }) => id).sort();
  const hold = `insert into session_revocations values ('${sessionKey(first)}', now(), now(), now())`;
  await whileHeld(fixture.database, [hold], async ({ release }) => {
    // It has deleted both sessions and waits to store the end of the first one.
    const byProvider = sessions().endByProvider({ ...account, providerSession: 'p1', keepSeconds: 3_600 });
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
