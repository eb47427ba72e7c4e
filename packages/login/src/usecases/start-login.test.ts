import { fakeLogin } from '../../test/ports.ts';
import { completeLogin, startBrowserLogin, startNativeLogin } from '../index.ts';

const native = {
  responseType: 'code',
  responseMode: null,
  clientId: 'platform-cli',
  redirectUri: 'http://127.0.0.1:7/done',
  state: 's',
  codeChallenge: 'c'.repeat(43),
  codeChallengeMethod: 'S256',
  nonce: null,
  request: null,
  requestUri: null,
  prompt: null,
  maxAge: null,
};

// Browsers drop a longer cookie, and the user would read after the login that another browser started it.
describe('a login that does not fit into a cookie', () => {
  const tooLong = { code: 'invalid_query', message: expect.stringContaining('does not fit into a cookie') };

  it('is refused before it begins, with a redirect that gets longer by its percent-encoding', async () => {
    const { ports } = fakeLogin();
    await expect(startBrowserLogin(ports, `/${'"'.repeat(2_000)}`)).rejects.toMatchObject(tooLong);
    expect((await startBrowserLogin(ports, `/${'a'.repeat(2_000)}`)).cookie).not.toBeNull();
  });

  it('is refused before it begins, with a long state and nonce of a native client', async () => {
    const { ports } = fakeLogin();
    const long = { ...native, state: 's'.repeat(1_024), nonce: 'n'.repeat(1_024) };
    expect((await startNativeLogin(ports, long)).cookie).not.toBeNull();
    const redirectUri = `http://127.0.0.1:7/${'p'.repeat(2_000)}`;
    const { location, cookie } = await startNativeLogin(ports, { ...long, redirectUri });
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      error: 'invalid_request',
      error_description: tooLong.message,
    });
    expect(cookie).toBeNull();
  });
});

// RFC 6749 section 4.1.2.1: a client that is not told waits until it gives up.
describe('a native login that fails', () => {
  const answerOf = (location: string) => Object.fromEntries(new URL(location).searchParams);

  it('tells the client at its start that the provider is down', async () => {
    const { state, ports } = fakeLogin();
    state.broken = true;
    const { location } = await startNativeLogin(ports, native);
    expect(answerOf(location)).toMatchObject({ error: 'temporarily_unavailable', state: 's' });
    const unconfigured = await startNativeLogin({ ...ports, provider: null }, native);
    expect(answerOf(unconfigured.location)).toMatchObject({ error: 'temporarily_unavailable' });
  });

  it.each<[string, Parameters<typeof fakeLogin>[0], 'broken' | 'refusesCodes' | null, string]>([
    ['the provider is down', {}, 'broken', 'temporarily_unavailable'],
    ['the provider refuses its code', {}, 'refusesCodes', 'server_error'],
    ['the address is not verified', { email_verified: false }, null, 'access_denied'],
    ['there is no address', { email: undefined }, null, 'access_denied'],
  ])('tells the client at its end that %s', async (_what, claims, fault, error) => {
    const { state, ports } = fakeLogin(claims);
    const { location, cookie } = await startNativeLogin(ports, native);
    if (fault !== null) state[fault] = true;
    const parameters = new Map([
      ['code', 'c'],
      ['state', new URL(location).searchParams.get('state') ?? ''],
    ]);
    const result = await completeLogin(ports, { parameters, cookie: cookie?.value ?? null });
    expect(result).toMatchObject({ session: null, user: null, error });
    expect(answerOf('location' in result ? result.location : '')).toMatchObject({ error, state: 's' });
  });
});
