import { challengeOf, OAuthError, Problem } from '@platform/kernel';
import { fakeLogin } from '../../test/ports.ts';
import { beginBrowserLogin, beginNativeLogin, confirmLogin, exchangeCode, finishTrip } from '../index.ts';
import { codeSeconds, tripSeconds } from '../model/trip.ts';

const verifier = 'v'.repeat(43);
const redirectUri = 'http://127.0.0.1:7/done';
const native = new URLSearchParams({
  response_type: 'code',
  client_id: 'platform-cli',
  redirect_uri: redirectUri,
  state: 's',
  code_challenge: challengeOf(verifier),
  code_challenge_method: 'S256',
});
const codeOf = async (run: Promise<unknown>): Promise<string> => {
  const error = await run.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Problem || error instanceof OAuthError) return error.code;
  throw error ?? new Error('nothing was refused');
};

/** Ends a trip that needs no confirmation. */
async function arrive(...parameters: Parameters<typeof finishTrip>) {
  const arrival = await finishTrip(...parameters);
  if (!('location' in arrival)) throw new Error('a confirmation was asked for');
  return arrival;
}

const groupOf = (length: number) => 'g'.repeat(length);

type Fake = ReturnType<typeof fakeLogin>;
async function browserTrip({ ports }: Fake) {
  const { location, cookie } = await beginBrowserLogin(ports, new URLSearchParams({ redirect: '/x' }));
  const query = new URLSearchParams({ code: 'c', state: new URL(location).searchParams.get('state') ?? '' });
  return { query, cookie };
}
async function nativeCode(fake: Fake) {
  const departure = await beginNativeLogin(fake.ports, native);
  const query = new URLSearchParams({
    code: 'c',
    state: new URL(departure.location).searchParams.get('state') ?? '',
  });
  const arrival = await finishTrip(fake.ports, { query, cookie: departure.cookie });
  if (!('location' in arrival)) throw new Error('a confirmation was asked for');
  return new URL(arrival.location).searchParams.get('code') ?? '';
}
const redeem = ({ ports }: Fake, code: string) =>
  exchangeCode(
    ports,
    new Map(
      Object.entries({
        grant_type: 'authorization_code',
        client_id: 'platform-cli',
        redirect_uri: redirectUri,
        code,
        code_verifier: verifier,
      }),
    ),
  );

describe('a trip to the identity provider', () => {
  it('ends in a session with the configured claims only', async () => {
    const fake = fakeLogin({ groups: ['g'], secret: 'not copied' });
    const { location, session } = await arrive(fake.ports, await browserTrip(fake));
    expect(location).toBe('/x');
    expect(JSON.parse(session?.token ?? '')).toEqual({
      kind: 'session',
      input: {
        uid: 'uid-of-s1',
        email: 'a@example.dev',
        claims: { name: 'A', groups: ['g'] },
        emailVerified: true,
        account: { issuer: 'https://idp.example', subject: 's1' },
      },
    });
  });

  // Attack: a provider without the claim email_verified lets somebody type an operator's address.
  it.each([undefined, null, 0, 'yes', 'True'])(
    'ends in a session without groups that says so when email_verified is %j',
    async (verified) => {
      const fake = fakeLogin({ groups: ['g'], email_verified: verified });
      const { session } = await finishTrip(fake.ports, await browserTrip(fake));
      expect(JSON.parse(session?.token ?? '').input).toMatchObject({
        claims: { name: 'A' },
        emailVerified: false,
      });
      expect(session?.token).not.toContain('"g"');
      const code = await nativeCode(fake);
      expect(JSON.parse((await redeem(fake, code)).access_token).input.emailVerified).toBe(false);
      const trusting = { ...fake.ports, trustUnverifiedEmail: true };
      const trusted = await finishTrip(trusting, await browserTrip(fake));
      expect(JSON.parse(trusted.session?.token ?? '').input).toMatchObject({
        claims: { groups: ['g'] },
        emailVerified: true,
      });
    },
  );

  it(`may take ${tripSeconds} seconds and no longer`, async () => {
    const fake = fakeLogin();
    const [inTime, late] = [await browserTrip(fake), await browserTrip(fake)];
    fake.state.now += (tripSeconds - 1) * 1000;
    await finishTrip(fake.ports, inTime);
    fake.state.now += 1000;
    expect(await codeOf(finishTrip(fake.ports, late))).toBe('invalid_query');
  });

  it('needs its own cookie, and not a sealed text of another purpose', async () => {
    const fake = fakeLogin();
    const { query, cookie } = await browserTrip(fake);
    for (const wrong of [
      null,
      '',
      'login_code:{}',
      cookie.replace('login_trip', 'login_code'),
      'login_trip:{}',
    ]) {
      expect(await codeOf(finishTrip(fake.ports, { query, cookie: wrong }))).toBe('invalid_query');
    }
  });

  it.each([
    ['no e-mail address', { email: undefined }],
    ['an unverified address', { email_verified: false }],
    ['an unverified address, as text', { email_verified: 'false' }],
    ['a line break in the address', { email: 'a@example.dev\r\nx: y' }],
    ['a NUL in the address', { email: 'a\u0000@example.dev' }],
    ['a C1 control character in the address', { email: 'a\u0085@example.dev' }],
  ])('ends without a session for an ID token with %s', async (_, claims) => {
    const fake = fakeLogin(claims as object);
    expect(await codeOf(finishTrip(fake.ports, await browserTrip(fake)))).toBe('forbidden');
  });

  it('ends without a session for somebody in so many groups that the browser would drop the cookie, and logs it', async () => {
    const fits = fakeLogin({ groups: [groupOf(3850)] });
    const { session } = await finishTrip(fits.ports, await browserTrip(fits));
    expect(session?.token.length).toBeGreaterThan(4000);
    const fake = fakeLogin({ groups: [groupOf(4073)] });
    const refused = finishTrip(fake.ports, await browserTrip(fake));
    await expect(refused).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('groups'),
    });
    expect(fake.state.logged).toEqual(['a session token would be too long']);
  });

  it('answers 503 when the provider is down, at both ends, and logs why', async () => {
    const fake = fakeLogin();
    const trip = await browserTrip(fake);
    fake.state.broken = true;
    expect(await codeOf(finishTrip(fake.ports, trip))).toBe('unavailable');
    expect(await codeOf(beginBrowserLogin(fake.ports, new URLSearchParams()))).toBe('unavailable');
    expect(fake.state.logged).toEqual(['the identity provider failed', 'the identity provider failed']);
  });

  it('says so when no provider is configured', async () => {
    const { ports } = fakeLogin();
    expect(await codeOf(beginBrowserLogin({ ...ports, provider: null }, new URLSearchParams()))).toBe(
      'unavailable',
    );
  });
});

describe('a native client’s code', () => {
  it(`is good for ${codeSeconds} seconds`, async () => {
    const fake = fakeLogin();
    const [inTime, late] = [await nativeCode(fake), await nativeCode(fake)];
    fake.state.now += (codeSeconds - 1) * 1000;
    expect(await redeem(fake, inTime)).toMatchObject({ token_type: 'Bearer' });
    fake.state.now += 1000;
    expect(await codeOf(redeem(fake, late))).toBe('invalid_grant');
  });

  it('is good once', async () => {
    const fake = fakeLogin();
    const code = await nativeCode(fake);
    await redeem(fake, code);
    expect(await codeOf(redeem(fake, code))).toBe('invalid_grant');
  });

  it('brings no session that would be refused afterwards: one of at most 8192 bytes, or none', async () => {
    const fits = fakeLogin({ groups: [groupOf(8000)] });
    const { access_token: token } = await redeem(fits, await nativeCode(fits));
    expect(token.length).toBeGreaterThan(8100);
    const fake = fakeLogin({ groups: [groupOf(8192)] });
    expect(await codeOf(redeem(fake, await nativeCode(fake)))).toBe('invalid_grant');
    expect(fake.state.logged).toEqual(['a session token would be too long']);
  });

  it('comes back as access_denied when the provider refused', async () => {
    const { ports } = fakeLogin();
    const departure = await beginNativeLogin(ports, native);
    const query = new URLSearchParams({
      error: 'login_required',
      state: new URL(departure.location).searchParams.get('state') ?? '',
    });
    const { location, session } = await arrive(ports, { query, cookie: departure.cookie });
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 's',
    });
    expect(session).toBeNull();
  });
});

// Attack (RFC 8252 section 8.6): a program on the machine starts a login, and the provider asks nobody anything.
describe('a native login of somebody whom the provider did not ask', () => {
  async function pending(fake: Fake) {
    const departure = await beginNativeLogin(fake.ports, native);
    const state = new URL(departure.location).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ code: 'c', state });
    const arrival = await finishTrip(fake.ports, { query, cookie: departure.cookie });
    if (!('confirmation' in arrival)) throw new Error('no confirmation was asked for');
    return arrival.confirmation;
  }
  const before = () => fakeLogin({ auth_time: 1_799_999_999 });

  it('waits for the person to agree, once', async () => {
    const fake = before();
    const { id, email, redirectUri: to } = await pending(fake);
    expect([email, to]).toEqual(['a@example.dev', redirectUri]);
    const location = new URL(await confirmLogin(fake.ports, { id, agrees: true }));
    expect(await redeem(fake, location.searchParams.get('code') ?? '')).toMatchObject({
      token_type: 'Bearer',
    });
    expect(await codeOf(confirmLogin(fake.ports, { id, agrees: true }))).toBe('invalid_query');
  });

  it('ends with access_denied when the person does not', async () => {
    const fake = before();
    const { id } = await pending(fake);
    const { searchParams } = new URL(await confirmLogin(fake.ports, { id, agrees: false }));
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state: 's' });
    expect(searchParams.has('code')).toBe(false);
  });

  it('is over after a while, and is nobody else’s', async () => {
    const fake = before();
    const { id } = await pending(fake);
    for (const wrong of [null, '', `${id}x`]) {
      expect(await codeOf(confirmLogin(fake.ports, { id: wrong, agrees: true }))).toBe('invalid_query');
    }
    fake.state.now += codeSeconds * 1000;
    expect(await codeOf(confirmLogin(fake.ports, { id, agrees: true }))).toBe('invalid_query');
  });

  it.each([undefined, 1_800_000_000, 1_800_000_060, 'yesterday'])(
    'is not asked for when the provider says %j of the time',
    async (time) => expect(await nativeCode(fakeLogin({ auth_time: time }))).toHaveLength(43),
  );
});
