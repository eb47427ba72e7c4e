import { challengeOf, OAuthError, Problem } from '@platform/kernel';
import { fakeLogin } from '../../test/ports.ts';
import {
  completeLogin,
  confirmLogin,
  exchangeCode,
  type LoginRedirect,
  startBrowserLogin,
  startNativeLogin,
} from '../index.ts';
import { codeSeconds, loginTransactionSeconds } from '../model/login-transaction.ts';

const verifier = 'v'.repeat(43);
const redirectUri = 'http://127.0.0.1:7/done';
const native = {
  responseType: 'code',
  responseMode: null,
  clientId: 'platform-cli',
  redirectUri,
  state: 's',
  codeChallenge: challengeOf(verifier),
  codeChallengeMethod: 'S256',
  nonce: null,
  request: null,
  requestUri: null,
  prompt: null,
  maxAge: null,
};
const codeOf = async (run: Promise<unknown>): Promise<string> => {
  const error = await run.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Problem || error instanceof OAuthError) return error.code;
  throw error ?? new Error('the call succeeded');
};

/** Completes a login that needs no confirmation. */
async function complete(...parameters: Parameters<typeof completeLogin>) {
  const result = await completeLogin(...parameters);
  if (!('location' in result)) throw new Error('the login asks for confirmation');
  return result;
}

/** The callback request of the provider after a redirect to it. */
function callbackOf({ location, cookie }: LoginRedirect, more: Record<string, string> = { code: 'c' }) {
  const state = new URL(location).searchParams.get('state') ?? '';
  return { parameters: new Map(Object.entries({ ...more, state })), cookie: cookie?.value ?? null };
}

const groupOf = (length: number) => 'g'.repeat(length);

type Fake = ReturnType<typeof fakeLogin>;
async function browserLogin({ ports }: Fake) {
  return callbackOf(await startBrowserLogin(ports, '/x'));
}
async function nativeCode({ ports }: Fake) {
  const { location } = await complete(ports, callbackOf(await startNativeLogin(ports, native)));
  return new URL(location).searchParams.get('code') ?? '';
}
const redeem = ({ ports }: Fake, code: string) =>
  exchangeCode(ports, {
    grant_type: 'authorization_code',
    client_id: 'platform-cli',
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  });

describe('the session of a login', () => {
  it('is stored with its account, its session at the provider and its program before its token is made', async () => {
    const fake = fakeLogin({ sid: 'p1' });
    const callback = { ...(await browserLogin(fake)), userAgent: 'Browser/1.0' };
    const { session } = await complete(fake.ports, callback);
    expect(JSON.parse(session?.token ?? '').input.session).toMatchObject({ id: 'session-1' });
    expect(fake.state.sessions).toEqual([
      {
        uid: 'uid-of-s1',
        email: 'a@example.dev',
        issuer: 'https://idp.example',
        subject: 's1',
        providerSession: 'p1',
        userAgent: 'Browser/1.0',
        seconds: 60,
        authenticatedAt: fake.state.now,
      },
    ]);
  });

  it('ends when its token would be too long', async () => {
    const fake = fakeLogin({ groups: [groupOf(5_000)] });
    await expect(complete(fake.ports, await browserLogin(fake))).rejects.toMatchObject({ code: 'forbidden' });
    expect(fake.state.ended).toEqual(['session-1']);
  });

  // Attack: a user is signed out everywhere, and a code from before becomes a new session.
  it('is not started by a code that was issued before its user was signed out', async () => {
    const fake = fakeLogin();
    const code = await nativeCode(fake);
    fake.state.signedOut.set('uid-of-s1', fake.state.now);
    await expect(redeem(fake, code)).rejects.toMatchObject({ code: 'invalid_grant' });
    fake.state.now += 1;
    expect(await redeem(fake, await nativeCode(fake))).toMatchObject({ token_type: 'Bearer' });
  });

  // Attack: somebody logs out at the provider while a slow answer of it is on the way, and the browser gets a session that nobody ends.
  it.each(['browser', 'native'])(
    'is not started when the login of a %s ends while it is completed',
    async (kind) => {
      const fake = fakeLogin();
      const callback =
        kind === 'browser'
          ? await browserLogin(fake)
          : callbackOf(await startNativeLogin(fake.ports, native));
      const provider = fake.ports.provider;
      const redeemed: typeof provider = provider && {
        ...provider,
        async redeem(response) {
          fake.state.now += 1_000;
          fake.state.signedOut.set('uid-of-s1', fake.state.now);
          fake.state.now += 1_000;
          return provider.redeem(response);
        },
      };
      const finish = async () => {
        const { location } = await complete({ ...fake.ports, provider: redeemed }, callback);
        if (kind === 'native') await redeem(fake, new URL(location).searchParams.get('code') ?? '');
      };
      await expect(finish()).rejects.toMatchObject({
        code: kind === 'browser' ? 'forbidden' : 'invalid_grant',
      });
      expect(fake.state.sessions).toEqual([]);
    },
  );

  // Accident: the clock of a replica is ahead, and its codes seem to be from after the sign-out.
  it('is compared with sign-outs by the clock of the database', async () => {
    const fake = fakeLogin();
    fake.state.databaseBehind = 5_000;
    const code = await nativeCode(fake);
    fake.state.signedOut.set('uid-of-s1', fake.state.now - 4_000);
    await expect(redeem(fake, code)).rejects.toMatchObject({ code: 'invalid_grant' });
  });
});

describe('a login', () => {
  it('ends in a session with the configured claims only', async () => {
    const fake = fakeLogin({ groups: ['g'], secret: 'not copied' });
    const { location, session } = await complete(fake.ports, await browserLogin(fake));
    expect(location).toBe('/x');
    expect(JSON.parse(session?.token ?? '')).toEqual({
      kind: 'session',
      input: {
        uid: 'uid-of-s1',
        email: 'a@example.dev',
        claims: { name: 'A', groups: ['g'] },
        emailVerified: true,
        account: { issuer: 'https://idp.example', subject: 's1' },
        session: { id: 'session-1', startedAt: fake.state.now },
      },
    });
  });

  // Attack: a provider without the claim email_verified lets somebody type an operator's address.
  it.each([undefined, null, 1, 'yes', 'True'])(
    'ends in an unverified session without groups when email_verified is %j',
    async (verified) => {
      const fake = fakeLogin({ groups: ['g'], email_verified: verified });
      const { session } = await completeLogin(fake.ports, await browserLogin(fake));
      expect(JSON.parse(session?.token ?? '').input).toMatchObject({
        claims: { name: 'A' },
        emailVerified: false,
      });
      expect(session?.token).not.toContain('"g"');
      const code = await nativeCode(fake);
      expect(JSON.parse((await redeem(fake, code)).access_token).input.emailVerified).toBe(false);
      const trusting = { ...fake.ports, trustUnverifiedEmail: true };
      const trusted = await completeLogin(trusting, await browserLogin(fake));
      expect(JSON.parse(trusted.session?.token ?? '').input).toMatchObject({
        claims: { groups: ['g'] },
        emailVerified: true,
      });
    },
  );

  // Attack: the clock is set back past an old login, whose used state the database has forgotten by then.
  it('is not completed after the clock was set back', async () => {
    const fake = fakeLogin();
    const callback = await browserLogin(fake);
    fake.state.now -= 61_000;
    expect(await codeOf(completeLogin(fake.ports, callback))).toBe('invalid_query');
    fake.state.now += 1_000;
    await complete(fake.ports, callback);
  });

  it(`expires after ${loginTransactionSeconds} seconds`, async () => {
    const fake = fakeLogin();
    const [inTime, late] = [await browserLogin(fake), await browserLogin(fake)];
    fake.state.now += (loginTransactionSeconds - 1) * 1000;
    await completeLogin(fake.ports, inTime);
    fake.state.now += 1000;
    expect(await codeOf(completeLogin(fake.ports, late))).toBe('invalid_query');
  });

  it('is rejected without its cookie, or with a text that was sealed for another purpose', async () => {
    const fake = fakeLogin();
    const { parameters, cookie } = await browserLogin(fake);
    for (const wrong of [
      null,
      '',
      'login_code:{}',
      cookie?.replace('login_trip', 'login_code') ?? null,
      'login_trip:{}',
    ]) {
      expect(await codeOf(completeLogin(fake.ports, { parameters, cookie: wrong }))).toBe('invalid_query');
    }
  });

  it.each([
    ['no e-mail address', { email: undefined }],
    ['an unverified address', { email_verified: false }],
    ['an unverified address, as text', { email_verified: 'false' }],
    ['an unverified address, as another text', { email_verified: 'False' }],
    ['an unverified address, as a number', { email_verified: 0 }],
    ['a line break in the address', { email: 'a@example.dev\r\nx: y' }],
    ['a NUL in the address', { email: 'a\u0000@example.dev' }],
    ['a C1 control character in the address', { email: 'a\u0085@example.dev' }],
    ['a lone surrogate in the address', { email: 'a\ud800@example.dev' }],
    ['an empty subject', { sub: '' }],
    ['white space as the subject', { sub: ' ' }],
    ['a subject of more than 255 characters', { sub: 's'.repeat(256) }],
    ['a NUL in the subject', { sub: 'a\u0000b' }],
    // Attack: PostgreSQL stores every lone surrogate as U+FFFD, so that several subjects are one user.
    ['a lone surrogate in the subject', { sub: 'a\ud800' }],
  ])('ends without a session for an ID token with %s', async (_, claims) => {
    const fake = fakeLogin(claims as object);
    expect(await codeOf(completeLogin(fake.ports, await browserLogin(fake)))).toBe('forbidden');
  });

  it.each(['s'.repeat(255), '\u{1f600}'.repeat(255), 'auth0|a b'])('accepts the subject %j', async (sub) => {
    const fake = fakeLogin({ sub });
    await complete(fake.ports, await browserLogin(fake));
    expect(fake.state.sessions).toMatchObject([{ subject: sub }]);
  });

  it('is rejected, and logged, for a user in so many groups that the browser would drop the cookie', async () => {
    const fits = fakeLogin({ groups: [groupOf(3780)] });
    const { session } = await completeLogin(fits.ports, await browserLogin(fits));
    expect(session?.token.length).toBeGreaterThan(4000);
    const fake = fakeLogin({ groups: [groupOf(4073)] });
    const refused = completeLogin(fake.ports, await browserLogin(fake));
    await expect(refused).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('groups'),
    });
    expect(fake.state.logged).toEqual(['a session token would be too long']);
  });

  it('is unavailable while the provider is down, at its start and at its end, and logs the reason', async () => {
    const fake = fakeLogin();
    const callback = await browserLogin(fake);
    fake.state.broken = true;
    expect(await codeOf(completeLogin(fake.ports, callback))).toBe('unavailable');
    expect(await codeOf(startBrowserLogin(fake.ports, '/'))).toBe('unavailable');
    expect(fake.state.logged).toEqual(['the identity provider failed', 'the identity provider failed']);
  });

  it('is rejected, and logged, when the provider refuses its code', async () => {
    const fake = fakeLogin();
    const callback = await browserLogin(fake);
    fake.state.refusesCodes = true;
    expect(await codeOf(completeLogin(fake.ports, callback))).toBe('invalid_query');
    expect(fake.state.logged).toEqual(['a login came back with an invalid response']);
  });

  it('is unavailable when no provider is configured', async () => {
    const { ports } = fakeLogin();
    expect(await codeOf(startBrowserLogin({ ...ports, provider: null }, '/'))).toBe('unavailable');
  });
});

describe('the authorization code of a native client', () => {
  it(`expires after ${codeSeconds} seconds`, async () => {
    const fake = fakeLogin();
    const [inTime, late] = [await nativeCode(fake), await nativeCode(fake)];
    fake.state.now += (codeSeconds - 1) * 1000;
    expect(await redeem(fake, inTime)).toMatchObject({ token_type: 'Bearer' });
    fake.state.now += 1000;
    expect(await codeOf(redeem(fake, late))).toBe('invalid_grant');
  });

  it('can be redeemed once', async () => {
    const fake = fakeLogin();
    const code = await nativeCode(fake);
    await redeem(fake, code);
    expect(await codeOf(redeem(fake, code))).toBe('invalid_grant');
  });

  it('yields a session of at most 8192 bytes, or an error', async () => {
    const fits = fakeLogin({ groups: [groupOf(7950)] });
    const { access_token: token } = await redeem(fits, await nativeCode(fits));
    expect(token.length).toBeGreaterThan(8100);
    const fake = fakeLogin({ groups: [groupOf(8192)] });
    expect(await codeOf(redeem(fake, await nativeCode(fake)))).toBe('invalid_grant');
    expect(fake.state.logged).toEqual(['a session token would be too long']);
  });

  it('is replaced by access_denied when the provider refused the login', async () => {
    const { ports } = fakeLogin();
    const redirect = await startNativeLogin(ports, native);
    const { location, session } = await complete(ports, callbackOf(redirect, { error: 'login_required' }));
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 's',
    });
    expect(session).toBeNull();
  });

  it.each(['server_error', 'temporarily_unavailable'])(
    'is replaced by %s when the provider says so',
    async (error) => {
      const { ports } = fakeLogin();
      const redirect = await startNativeLogin(ports, native);
      const { location } = await complete(ports, callbackOf(redirect, { error }));
      expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
        error,
        error_description: expect.stringContaining('try again later'),
        state: 's',
      });
    },
  );
});

// Attack (RFC 8252 section 8.6): a program on the machine starts a login, and the provider asks nobody anything.
describe('a native login during which the provider did not ask the user', () => {
  async function pending(fake: Fake) {
    const redirect = await startNativeLogin(fake.ports, native);
    const result = await completeLogin(fake.ports, callbackOf(redirect));
    if (!('confirmation' in result) || result.confirmation.kind !== 'native') {
      throw new Error('the login asks for no confirmation');
    }
    return result.confirmation;
  }
  const before = () => fakeLogin({ auth_time: 1_799_999_999 });

  it('waits for one confirmation', async () => {
    const fake = before();
    const { id, email, redirectUri: to } = await pending(fake);
    expect([email, to]).toEqual(['a@example.dev', redirectUri]);
    const location = new URL((await confirmLogin(fake.ports, { id, redirectUri, confirmed: true })).location);
    expect(await redeem(fake, location.searchParams.get('code') ?? '')).toMatchObject({
      token_type: 'Bearer',
    });
    expect(await codeOf(confirmLogin(fake.ports, { id, redirectUri, confirmed: true }))).toBe(
      'invalid_query',
    );
  });

  it('is not confirmed by the answer to the page of another program', async () => {
    const fake = before();
    const { id } = await pending(fake);
    const other = confirmLogin(fake.ports, { id, redirectUri: 'http://127.0.0.1:6666/cb', confirmed: true });
    expect(await codeOf(other)).toBe('invalid_query');
    expect(
      new URL((await confirmLogin(fake.ports, { id, redirectUri, confirmed: true })).location).port,
    ).toBe(new URL(redirectUri).port);
  });

  it('ends with access_denied when the user declines', async () => {
    const fake = before();
    const { id } = await pending(fake);
    const { searchParams } = new URL(
      (await confirmLogin(fake.ports, { id, redirectUri, confirmed: false })).location,
    );
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state: 's' });
    expect(searchParams.has('code')).toBe(false);
  });

  it('expires, and cannot be confirmed with another id', async () => {
    const fake = before();
    const { id } = await pending(fake);
    for (const wrong of [null, '', `${id}x`]) {
      expect(await codeOf(confirmLogin(fake.ports, { id: wrong, redirectUri, confirmed: true }))).toBe(
        'invalid_query',
      );
    }
    fake.state.now += codeSeconds * 1000;
    expect(await codeOf(confirmLogin(fake.ports, { id, redirectUri, confirmed: true }))).toBe(
      'invalid_query',
    );
  });

  it.each([undefined, 1_800_000_000, 1_800_000_060, 'yesterday'])(
    'is not needed when auth_time is %j',
    async (time) => expect(await nativeCode(fakeLogin({ auth_time: time }))).toHaveLength(43),
  );
});

// OpenID Connect Core section 3.1.2.1: a client that asks for it must not believe that somebody was asked who was not.
describe('a native login whose client asks for a recent authentication', () => {
  const now = 1_800_000_000;
  async function outcomeOf(changes: object, claims: object) {
    const fake = fakeLogin(claims);
    const redirect = await startNativeLogin(fake.ports, { ...native, ...changes });
    const result = await completeLogin(fake.ports, callbackOf(redirect));
    if ('confirmation' in result) return [fake, 'confirmation'] as const;
    const { searchParams } = new URL(result.location);
    return [fake, searchParams.get('error') ?? 'code', searchParams.get('code') ?? ''] as const;
  }

  it.each([
    ['prompt=login', { prompt: 'login' }, { auth_time: now - 61 }],
    ['prompt=login among others', { prompt: 'consent login', maxAge: '900' }, { auth_time: now - 61 }],
    ['max_age', { maxAge: '900' }, { auth_time: now - 961 }],
    ['max_age, of a provider that does not say when', { maxAge: '900' }, {}],
    ['max_age, of a provider that says it wrong', { maxAge: '900' }, { auth_time: '1800000000' }],
  ])('is refused for an earlier one with %s', async (_what, changes, claims) => {
    const [fake, outcome] = await outcomeOf(changes, claims);
    expect([outcome, fake.state.sessions]).toEqual(['login_required', []]);
  });

  it.each([
    ['prompt=login', { prompt: 'login' }, { auth_time: now }, 'code'],
    ['prompt=select_account', { prompt: 'select_account' }, {}, 'code'],
    ['max_age', { maxAge: '0' }, { auth_time: now }, 'code'],
    ['max_age', { maxAge: '900' }, { auth_time: now - 900 }, 'confirmation'],
    ['an empty max_age', { maxAge: '' }, { auth_time: now - 1 }, 'confirmation'],
  ])('goes on for a recent one with %s', async (_what, changes, claims, outcome) => {
    expect((await outcomeOf(changes, claims))[1]).toBe(outcome);
  });

  it('tells the client in the ID token when it was', async () => {
    const [fake, , code = ''] = await outcomeOf({ maxAge: '900' }, { auth_time: now });
    const { id_token: idToken } = await redeem(fake, code);
    expect(JSON.parse(idToken).input).toMatchObject({ authTime: now });
  });

  it.each([
    { prompt: 'create' },
    { prompt: 'login  nobody' },
    { maxAge: '-1' },
    { maxAge: '1e3' },
    { maxAge: '9999999999' },
  ])('is invalid with %j', async (changes) => {
    const { location, cookie } = await startNativeLogin(fakeLogin().ports, { ...native, ...changes });
    expect([new URL(location).searchParams.get('error'), cookie]).toEqual(['invalid_request', null]);
  });
});
