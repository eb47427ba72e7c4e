import { createHash, randomUUID } from 'node:crypto';
import { waitingForLocks, whileHeld } from '@platform/development/testing';
import { Contention } from '@platform/kernel';
import { providerKey, sessionKey, userKey } from '@platform/tokens';
import { testStore } from '../../../test/store.ts';
import { createSessionStore } from './session-store.ts';

const fixture = testStore();
const once = () => ({
  hash: createHash('sha256').update(randomUUID()).digest('hex'),
  expiresAt: Date.now() + 60_000,
});
const sessions = () => createSessionStore(fixture.store.database, { uid: () => randomUUID() });

const rest = { userAgent: '', seconds: 3_600, authenticatedAt: Date.now() };

it('a session that its user and the identity provider end at once is ended for both', async () => {
  const account = { issuer: 'https://login.example.dev', subject: randomUUID() };
  const user = { uid: randomUUID(), email: 'user@example.dev', ...rest };
  const start = () => sessions().start({ ...account, ...user, providerSession: 'p1' });
  const [first = '', second = ''] = [await start(), await start()].map((session) => session?.id ?? '').sort();
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
  const { id = '' } = (await sessions().start({ ...account, ...user, ...rest, providerSession: 'p2' })) ?? {};
  const logout = { ...account, providerSession: 'p2', keepSeconds: 3_600, once: once() };
  await whileHeld(fixture.database, [`select from sessions where id = '${id}' for update`], async () => {
    await expect(sessions().endByProvider(logout)).rejects.toThrow(Contention);
  });
  expect(await sessions().endByProvider(logout)).toEqual([user]);
  expect(await sessions().find(id)).toBeNull();
  expect(await sessions().endByProvider(logout)).toBeNull();
});

// Attack: a logout waits for the database, and a login of that moment, which it does not see, does not see it either.
it.each(['logout of the provider', 'sign-out'])(
  'a %s that has not committed ends a login that begins meanwhile',
  async (kind) => {
    const account = { issuer: 'https://login.example.dev', subject: randomUUID(), providerSession: 'p3' };
    const login = {
      ...account,
      ...rest,
      uid: randomUUID(),
      email: 'user@example.dev',
      authenticatedAt: Date.now() - 1_000,
    };
    const key = kind === 'sign-out' ? userKey(login.uid) : providerKey(account);
    const hold = `insert into session_revocations values ('${key}', now(), now(), now())`;
    await whileHeld(fixture.database, [hold], async ({ release }) => {
      const ending =
        kind === 'sign-out'
          ? sessions().signOut({ uids: [login.uid], email: null, keepSeconds: 3_600 })
          : sessions().endByProvider({ ...account, keepSeconds: 3_600, once: once() });
      await waitingForLocks(fixture.database, 1);
      const starting = sessions().start(login);
      await Promise.race([starting, waitingForLocks(fixture.database, 2)]);
      await release();
      await ending;
      expect(await starting).toBeNull();
    });
  },
);

describe('a login that has no session yet, such as a code', () => {
  const issuer = 'https://login.example.dev';
  const user = () => ({ uid: randomUUID(), email: `${randomUUID()}@example.dev`, ...rest });
  const starts = async (session: Parameters<ReturnType<typeof sessions>['start']>[0]) =>
    (await sessions().start(session)) !== null;

  // Attack: the code is redeemed at another replica before that learns of the sign-out, and the session starts after it.
  it('ends with a sign-out of its user, by uid or address, and a later one does not', async () => {
    const [ann, bob] = [user(), user()];
    const login = {
      issuer,
      subject: randomUUID(),
      providerSession: null,
      authenticatedAt: Date.now() - 1_000,
    };
    await sessions().signOut({ uids: [ann.uid], email: null, keepSeconds: 3_600 });
    await sessions().signOut({ uids: [], email: bob.email.toUpperCase(), keepSeconds: 3_600 });
    for (const person of [ann, bob]) {
      expect(await starts({ ...person, ...login })).toBe(false);
      expect(await starts({ ...person, ...login, authenticatedAt: Date.now() + 1_000 })).toBe(true);
    }
    expect(await starts({ ...user(), ...login })).toBe(true);
  });

  // Attack: somebody logs out at the provider, and a program redeems the code that it got before.
  it('ends with a logout at the identity provider, as a session would', async () => {
    const login = { ...user(), issuer, subject: randomUUID(), authenticatedAt: Date.now() - 1_000 };
    const [ended, other] = [randomUUID(), randomUUID()];
    const logout = {
      issuer,
      subject: login.subject,
      providerSession: ended,
      keepSeconds: 3_600,
      once: once(),
    };
    await sessions().endByProvider(logout);
    expect(await starts({ ...login, providerSession: ended })).toBe(false);
    expect(await starts({ ...login, providerSession: null })).toBe(false);
    expect(await starts({ ...login, providerSession: other })).toBe(true);
    expect(await starts({ ...login, providerSession: null, subject: randomUUID() })).toBe(true);
    expect(await starts({ ...login, providerSession: ended, issuer: `${issuer}/2` })).toBe(true);
  });

  // Attack: an account is closed while its owner logs in for the first time, and the platform has no user of it yet.
  it('ends with a logout of its account, also when it is the first login of it', async () => {
    const login = { ...user(), issuer, subject: randomUUID(), authenticatedAt: Date.now() - 1_000 };
    const { subject } = login;
    await sessions().endByProvider({
      ...{ issuer, subject, providerSession: null, keepSeconds: 3_600 },
      once: once(),
    });
    for (const providerSession of [randomUUID(), null]) {
      expect(await starts({ ...login, providerSession })).toBe(false);
      expect(await starts({ ...login, providerSession, authenticatedAt: Date.now() + 1_000 })).toBe(true);
      expect(await starts({ ...login, providerSession, subject: randomUUID() })).toBe(true);
      expect(await starts({ ...login, providerSession, issuer: `${issuer}/2` })).toBe(true);
    }
  });
});
