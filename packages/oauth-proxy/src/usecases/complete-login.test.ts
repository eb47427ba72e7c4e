import { APP, Fixture } from '../../test/fixture.ts';
import type { ProxyExtension } from '../model/extension.ts';
import type { OAuthExtensionSpec } from '../model/extension-spec.ts';
import { UpstreamFault } from '../ports/upstream.ts';

const oidc = { client_id: 'shop-login', response_type: 'code', scope: 'openid' };
const query = (url: URL) => Object.fromEntries(url.searchParams);
const noState = { status: 400, message: 'No cached state found for state token' };

describe('completeLogin', () => {
  it('brings the app exactly code and state', async () => {
    const url = await new Fixture().login();
    expect(url.href.split('?')[0]).toBe(APP);
    expect([...url.searchParams.keys()]).toEqual(['code', 'state']);
    expect(url.searchParams.get('state')).toBe('app state');
  });

  it('adds iss for OpenID Connect requests', async () => {
    const url = await new Fixture().login(oidc);
    expect([...url.searchParams.keys()]).toEqual(['code', 'state', 'iss']);
    expect(url.searchParams.get('iss')).toBe('https://platform.example/oidc/shop/login');
  });

  it('leaves state out when the app sent none, and keeps the query of its URL to the letter', async () => {
    const fixture = new Fixture();
    const upstream = await fixture.authorize({ redirect_uri: `${APP}?next=%2Fa%20b&x` });
    const url = await fixture.callback({ code: 'c', state: upstream.searchParams.get('state') ?? '' });
    expect(url.href).toMatch(/^http:\/\/localhost:3000\/cb\?next=%2Fa%20b&x&code=[\w-]{43}$/);
  });

  it('redeems the code of the upstream with our callback URL, verifier and secret', async () => {
    const fixture = new Fixture();
    await fixture.login();
    expect(fixture.upstream.last('exchangeCode')).toMatchObject({
      client: { clientId: 'up', clientSecret: 'upstream secret', tokenEndpoint: 'https://idp.example/token' },
      grant: { code: 'upstream code', redirectUri: 'https://platform.example/oidc/shop/login/callback' },
    });
  });

  it('accepts a state once', async () => {
    const fixture = new Fixture();
    const state = (await fixture.authorize()).searchParams.get('state') ?? '';
    await fixture.callback({ code: 'c', state });
    await expect(fixture.callback({ code: 'c', state })).rejects.toMatchObject(noState);
  });

  it('accepts a state for ten minutes', async () => {
    const fixture = new Fixture();
    const first = (await fixture.authorize()).searchParams.get('state') ?? '';
    const second = (await fixture.authorize()).searchParams.get('state') ?? '';
    fixture.clock.advance(599 * 1_000);
    await fixture.callback({ code: 'c', state: first });
    fixture.clock.advance(1_000);
    await expect(fixture.callback({ code: 'c', state: second })).rejects.toMatchObject(noState);
  });

  // Attack: the address was taken from the project because somebody else controls it.
  it.each<[string, string | undefined, Partial<ProxyExtension>, Partial<OAuthExtensionSpec>]>([
    ['its domain', 'https://www.shop.example:8443/cb', { customDomains: [] }, {}],
    ['localhost', APP, {}, { allow_localhost: false }],
    ['a page', 'https://shop.example/cb', {}, { redirect_uris: ['https://shop.example/other'] }],
    ['the default', undefined, { projectUrl: 'https://new.example' }, {}],
  ])('redirects nobody to an address that is no longer allowed: %s', async (_what, asked, changes, spec) => {
    const fixture = new Fixture();
    const upstream = await fixture.authorize(asked === undefined ? {} : { redirect_uri: asked });
    const state = upstream.searchParams.get('state') ?? '';
    const { extension } = fixture;
    fixture.extension = { ...extension, ...changes, spec: { ...extension.spec, ...spec } };
    await expect(fixture.callback({ code: 'c', state })).rejects.toMatchObject(noState);
    expect(fixture.upstream.last('exchangeCode')).toBeUndefined();
  });

  it('refuses an unknown state, and none', async () => {
    const fixture = new Fixture();
    await expect(fixture.callback({ code: 'c', state: 'unknown' })).rejects.toMatchObject(noState);
    await expect(fixture.callback({ code: 'c' })).rejects.toMatchObject(noState);
    expect(fixture.upstream.last('exchangeCode')).toBeUndefined();
  });

  it('refuses the state of another extension, which keeps it', async () => {
    const fixture = new Fixture();
    const state = (await fixture.authorize()).searchParams.get('state') ?? '';
    const own = fixture.extension;
    fixture.extension = { ...own, extensionUid: 'another' };
    await expect(fixture.callback({ code: 'c', state })).rejects.toMatchObject(noState);
    fixture.extension = own;
    await expect(fixture.callback({ code: 'c', state })).resolves.toBeInstanceOf(URL);
  });

  it('sends neither code nor secret to a provider that the extension was pointed at meanwhile', async () => {
    const fixture = new Fixture();
    const state = (await fixture.authorize()).searchParams.get('state') ?? '';
    fixture.extension = {
      ...fixture.extension,
      spec: { ...fixture.extension.spec, token_endpoint: 'https://evil.example' },
    };
    await expect(fixture.callback({ code: 'c', state })).rejects.toMatchObject(noState);
    expect(fixture.upstream.last('exchangeCode')).toBeUndefined();
  });

  it('brings an upstream error to the app, made printable, and issues no code', async () => {
    const fixture = new Fixture();
    const state =
      (await fixture.authorize({ redirect_uri: APP, state: 's' })).searchParams.get('state') ?? '';
    const url = await fixture.callback({
      error: 'access_denied',
      error_description: 'no\r\n"way"',
      state,
      iss: 'x',
      session_state: 'y',
    });
    expect(query(url)).toEqual({ error: 'access_denied', error_description: 'no???way?', state: 's' });
    expect([...fixture.states.entries(), ...fixture.codes.entries()]).toEqual([]);
  });

  it.each([400, 401, 500, 200])('says that the exchange failed with status %d', async (status) => {
    const fixture = new Fixture();
    fixture.upstream.outcome = { outcome: 'rejected', status, error: 'invalid_client' };
    expect(query(await fixture.login())).toEqual({
      error: 'server_error',
      error_description: `Token exchange failed with status ${status}`,
      state: 'app state',
    });
    expect([...fixture.states.entries(), ...fixture.codes.entries()]).toEqual([]);
  });

  it.each([
    ['timeout', 'the provider did not answer in time'],
    ['too_large', 'the answer of the provider is not usable'],
    ['unreadable', 'the answer of the provider is not usable'],
    ['unreachable', 'the provider could not be reached'],
    ['refused', 'the provider could not be reached'],
  ] as const)('turns the fault %s into a clear answer', async (kind, phrase) => {
    const fixture = new Fixture();
    fixture.upstream.outcome = new UpstreamFault(kind, 'inner detail');
    const url = await fixture.login(oidc);
    expect(query(url)).toMatchObject({
      error: 'temporarily_unavailable',
      error_description: `Token exchange failed: ${phrase}`,
    });
    expect(url.searchParams.get('iss')).toBe('https://platform.example/oidc/shop/login');
    expect(url.href).not.toContain('inner');
  });

  it('fails closed when the ID token of an OpenID Connect login cannot be verified', async () => {
    const fixture = new Fixture();
    fixture.upstream.claims = new UpstreamFault('invalid_id_token', 'bad signature');
    const url = await fixture.login(oidc);
    expect(query(url)).toMatchObject({
      error: 'server_error',
      error_description: 'The ID token of the provider could not be verified',
    });
    expect([...fixture.states.entries(), ...fixture.codes.entries()]).toEqual([]);
  });

  it('verifies the ID token against our nonce, not the one of the app', async () => {
    const fixture = new Fixture();
    await fixture.login({ ...oidc, nonce: 'app nonce' });
    const { nonce, clientId } = (
      fixture.upstream.last('verifyIdToken') as { expected: { nonce: string; clientId: string } }
    ).expected;
    expect(nonce).toMatch(/^[\w-]{43}$/);
    expect(clientId).toBe('up');
  });

  it('does not touch the ID token of a pass-through login', async () => {
    const fixture = new Fixture();
    await fixture.login();
    expect(fixture.upstream.last('verifyIdToken')).toBeUndefined();
  });

  it.each<[Record<string, string>, Record<string, string>, string | null]>([
    [{}, { iss: 'https://other.example' }, 'server_error'],
    [oidc, { iss: 'https://other.example' }, 'server_error'],
    [oidc, { iss: 'https://idp.example' }, null],
    [oidc, {}, null],
  ])('of a provider that does not promise iss, asked with %j, answers %j', async (asked, answer, error) => {
    const fixture = new Fixture();
    const state = (await fixture.authorize({ redirect_uri: APP, ...asked })).searchParams.get('state') ?? '';
    const url = await fixture.callback({ code: 'c', state, ...answer });
    expect(url.searchParams.get('error')).toBe(error);
    expect(fixture.upstream.last('exchangeCode') === undefined).toBe(error !== null);
  });

  describe('of a provider that promises iss', () => {
    const promising = () => {
      const metadata = {
        issuer: 'https://idp.example',
        authorization_endpoint: 'https://idp.example/auth',
        token_endpoint: 'https://idp.example/token',
        authorization_response_iss_parameter_supported: true,
      };
      return { metadata, clockSkewMs: null };
    };

    it.each([{ iss: 'https://other.example' }, {}])('refuses the answer %j', async (extra) => {
      const fixture = new Fixture();
      fixture.upstream.discovery = promising();
      const state = (await fixture.authorize({ redirect_uri: APP })).searchParams.get('state') ?? '';
      const url = await fixture.callback({ code: 'c', state, ...extra } as Record<string, string>);
      expect(url.searchParams.get('error')).toBe('server_error');
      expect(fixture.upstream.last('exchangeCode')).toBeUndefined();
    });

    // Attack (mix-up): a query such as that of Google is in the spec, so that logins find their endpoints without the document.
    it('refuses that of another one also where the spec names the endpoints', async () => {
      const { spec } = new Fixture().extension;
      const { authorization_endpoint, token_endpoint } = promising().metadata;
      const fixture = new Fixture({ spec: { ...spec, authorization_endpoint, token_endpoint } });
      fixture.upstream.discovery = promising();
      const state = (await fixture.authorize({ redirect_uri: APP, ...oidc })).searchParams.get('state') ?? '';
      const url = await fixture.callback({ code: 'c', state, iss: 'https://other.example' });
      expect(url.searchParams.get('error')).toBe('server_error');
      expect(fixture.upstream.last('exchangeCode')).toBeUndefined();
    });
  });

  it('refuses an answer for which the waiting ones leave no room, but none of usual size', async () => {
    const fixture = new Fixture();
    const answer = { access_token: 'a'.repeat(1_000_000) };
    fixture.upstream.outcome = { outcome: 'tokens', answer };
    const logins = async (count: number) => {
      const codes: string[] = [];
      for (let i = 0; i < count; i += 1) codes.push(await fixture.code());
      return codes;
    };
    const [first = '', ...others] = await logins(33);
    expect(others).not.toContain('');
    expect(query(await fixture.login())).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many large answers of the provider wait for the app',
      state: 'app state',
    });
    fixture.upstream.outcome = { outcome: 'tokens', answer: { access_token: 'a'.repeat(20_000) } };
    expect(await logins(1)).not.toContain('');
    fixture.upstream.outcome = { outcome: 'tokens', answer };
    await fixture.token({ grant_type: 'authorization_code', code: first });
    expect(await logins(1)).not.toContain('');
    fixture.clock.advance(300_000);
    expect(await logins(33)).not.toContain('');
  });

  it('says so when the stored secret cannot be opened, without asking upstream', async () => {
    const url = await new Fixture({ sealedUpstreamSecret: 'copied from elsewhere' }).login();
    expect(url.searchParams.get('error_description')).toBe(
      'The stored client secret of the provider cannot be decrypted',
    );
  });

  it('logs why a login failed, and nothing secret', async () => {
    const fixture = new Fixture();
    fixture.upstream.outcome = { outcome: 'rejected', status: 400, error: 'invalid_client' };
    const url = await fixture.login();
    const logged = JSON.stringify(fixture.logger.lines);
    expect(logged).toContain('Token exchange failed with status 400 (invalid_client)');
    for (const secret of ['upstream code', 'upstream secret', url.searchParams.get('state')])
      expect(logged).not.toContain(secret);
  });

  describe('in another browser', () => {
    it.each([null, 'b'.repeat(43)])(
      'refuses a page with the cookie %j, without a redirect',
      async (cookie) => {
        const fixture = new Fixture();
        const upstream = await fixture.authorize({ redirect_uri: APP });
        fixture.browser = cookie;
        const back = { code: 'upstream code', state: upstream.searchParams.get('state') ?? '' };
        await expect(fixture.callback(back)).rejects.toMatchObject({ code: 'invalid_request', status: 400 });
        expect(fixture.upstream.last('exchangeCode')).toBeUndefined();
      },
    );

    it('keeps one cookie for logins in several tabs', async () => {
      const fixture = new Fixture();
      const [first, second] = [await fixture.authorize(), await fixture.authorize()];
      for (const { searchParams } of [first, second]) {
        const back = { code: 'upstream code', state: searchParams.get('state') ?? '' };
        expect((await fixture.callback(back)).searchParams.get('code')).not.toBeNull();
      }
    });
  });

  it('fails an OpenID Connect login whose provider sends no ID token', async () => {
    const fixture = new Fixture();
    fixture.upstream.outcome = { outcome: 'tokens', answer: { access_token: 'at' } };
    const oidc = { client_id: 'shop-login', response_type: 'code', scope: 'openid' };
    expect((await fixture.login(oidc)).searchParams.get('error')).toBe('server_error');
    expect((await fixture.login()).searchParams.get('error')).toBeNull();
  });
});
