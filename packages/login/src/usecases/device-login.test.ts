import { OAuthError, Problem } from '@platform/kernel';
import { fakeLogin } from '../../test/ports.ts';
import { authorizeDevice, completeLogin, confirmDevice, exchangeCode, startDeviceLogin } from '../index.ts';
import { deviceCodeSeconds } from '../model/login-transaction.ts';
import { normalizeUserCode } from '../rules/user-code.ts';

const codeOf = async (run: Promise<unknown>): Promise<string> => {
  const error = await run.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Problem || error instanceof OAuthError) return error.code;
  throw error ?? new Error('the call succeeded');
};

type Fake = ReturnType<typeof fakeLogin>;

const start = ({ ports }: Fake, more: object = {}) =>
  authorizeDevice(ports, {
    clientId: 'platform-cli',
    scope: 'openid email',
    address: '192.0.2.7',
    userAgent: 'platform-cli/1',
    ...more,
  });
const poll = ({ ports }: Fake, code: string) =>
  exchangeCode(ports, {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: 'platform-cli',
    device_code: code,
  });

/** Logs in with the code, up to the page that asks. */
async function ask({ ports }: Fake, userCode: string) {
  const { location, cookie } = await startDeviceLogin(ports, userCode);
  const state = new URL(location).searchParams.get('state') ?? '';
  const parameters = new Map(Object.entries({ code: 'c', state }));
  const result = await completeLogin(ports, { parameters, cookie: cookie?.value ?? null });
  if (!('confirmation' in result) || result.confirmation.kind !== 'device') {
    throw new Error('the login asks for no confirmation');
  }
  return result.confirmation;
}
const answer = (fake: Fake, { id, userCode }: { id: string; userCode: string }, confirmed = true) =>
  confirmDevice(fake.ports, { id, userCode, confirmed });

describe('the login of a device', () => {
  it('ends with one session, of the user who confirmed', async () => {
    const fake = fakeLogin({ name: 'Ada' });
    const { device_code: code, user_code: userCode, ...rest } = await start(fake);
    expect(rest).toEqual({
      verification_uri: 'https://platform.example/device',
      verification_uri_complete: `https://platform.example/device?user_code=${userCode}`,
      expires_in: 600,
      interval: 5,
    });
    expect(userCode).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
    expect(await codeOf(poll(fake, code))).toBe('authorization_pending');
    const confirmation = await ask(fake, userCode.toLowerCase().replace('-', ' '));
    expect(confirmation).toMatchObject({
      email: 'a@example.dev',
      userCode,
      device: { clientId: 'platform-cli', address: '192.0.2.7', scope: 'openid email' },
    });
    await answer(fake, confirmation);
    const polls = await Promise.allSettled([1, 2, 3].map(() => poll(fake, code)));
    expect(polls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(fake.state.sessions).toEqual([expect.objectContaining({ uid: 'uid-of-s1' })]);
    expect(await codeOf(poll(fake, code))).toBe('invalid_grant');
  });

  it('is told to slow down, and waits five seconds longer from then on', async () => {
    const fake = fakeLogin();
    const { device_code: code } = await start(fake);
    const after = async (seconds: number) => {
      fake.state.now += seconds * 1000;
      return await codeOf(poll(fake, code));
    };
    expect(await after(0)).toBe('authorization_pending');
    expect(await after(5)).toBe('authorization_pending');
    expect(await after(4)).toBe('slow_down');
    expect(await after(9)).toBe('slow_down');
    expect(await after(15)).toBe('authorization_pending');
  });

  it('ends with access_denied, status 400, when the user refuses, and cannot be confirmed then', async () => {
    const fake = fakeLogin();
    const { device_code: code, user_code: userCode } = await start(fake);
    const [first, second] = [await ask(fake, userCode), await ask(fake, userCode)];
    await answer(fake, first, false);
    await expect(poll(fake, code)).rejects.toMatchObject({ code: 'access_denied', status: 400 });
    expect(await codeOf(answer(fake, second))).toBe('invalid_query');
    expect(await codeOf(ask(fake, userCode))).toBe('invalid_query');
  });

  it('expires, for the device and for the user', async () => {
    const fake = fakeLogin();
    const { device_code: code, user_code: userCode } = await start(fake);
    fake.state.now += deviceCodeSeconds * 1000;
    expect(await codeOf(poll(fake, code))).toBe('expired_token');
    expect(await codeOf(ask(fake, userCode))).toBe('invalid_query');
  });

  it('ends when the user is signed out everywhere before the device has asked', async () => {
    const fake = fakeLogin();
    const { device_code: code, user_code: userCode } = await start(fake);
    await answer(fake, await ask(fake, userCode));
    fake.state.signedOut.set('uid-of-s1', fake.state.now);
    expect(await codeOf(poll(fake, code))).toBe('invalid_grant');
    expect(fake.state.sessions).toEqual([]);
  });

  // Attack: the page in the first tab is answered, and the cookie is that of the second.
  it('cannot be confirmed from the page of another one', async () => {
    const fake = fakeLogin();
    const [own, other] = [await start(fake), await start(fake)];
    await ask(fake, own.user_code);
    const cookie = await ask(fake, other.user_code);
    const mixed = { id: cookie.id, userCode: own.user_code };
    expect(await codeOf(answer(fake, mixed))).toBe('invalid_query');
    expect(await codeOf(poll(fake, other.device_code))).toBe('authorization_pending');
  });

  // Attack: somebody with an account guesses codes from many addresses, and the last guess is right.
  it('is not found by a user who has tried too many codes, also with the right one', async () => {
    const fake = fakeLogin();
    const { device_code: code, user_code: userCode } = await start(fake);
    fake.state.waits.set('uid-of-s1', 42);
    for (const typed of [userCode, 'BCDF-GHJK']) {
      await expect(ask(fake, typed)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 42 });
    }
    expect(await codeOf(poll(fake, code))).toBe('authorization_pending');
    fake.state.waits.clear();
    expect((await ask(fake, userCode)).userCode).toBe(userCode);
  });

  it.each([
    [{ clientId: undefined }, 'invalid_request'],
    [{ clientId: 'other' }, 'invalid_client'],
    [{ scope: 'openid admin' }, 'invalid_scope'],
  ])('is refused for %j', async (more, error) => {
    expect(await codeOf(start(fakeLogin(), more))).toBe(error);
  });

  it('is invalid_grant for a device code that nobody issued', async () => {
    expect(await codeOf(poll(fakeLogin(), 'guess'))).toBe('invalid_grant');
  });
});

describe('a user code', () => {
  it.each(['wdjb-mjht', 'WDJBMJHT', ' WDJB MJHT ', 'w.d.j.b.m.j.h.t'])('may be typed as %j', (text) => {
    expect(normalizeUserCode(text)).toBe('WDJBMJHT');
  });

  it.each(['', 'WDJB', 'WDJB-MJHTX', 'WDJB-MJHA', 'WDJB-MJH1', '-'.repeat(1000)])('is not %j', (text) => {
    expect(normalizeUserCode(text)).toBeNull();
  });
});
