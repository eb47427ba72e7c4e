import { CHALLENGE, Fixture } from '../../test/fixture.ts';
import { UpstreamFault } from '../ports/upstream.ts';

const oidc = { client_id: 'shop-login', response_type: 'code', scope: 'openid email', nonce: 'app nonce' };

describe('startLogin', () => {
  it('sends the browser to the upstream with a state, nonce and challenge of our own', async () => {
    const fixture = new Fixture();
    const url = await fixture.authorize({
      ...oidc,
      state: 'app state',
      unknown: 'x',
    });
    const sent = Object.fromEntries(url.searchParams);
    expect(url.origin + url.pathname).toBe('https://idp.example/auth');
    expect(sent).toMatchObject({
      response_type: 'code',
      client_id: 'up',
      redirect_uri: 'https://platform.example/oidc/shop/login/callback',
      scope: 'openid email',
      code_challenge_method: 'S256',
    });
    expect(sent).not.toHaveProperty('unknown');
    expect(
      new Set([sent['state'], sent['nonce'], sent['code_challenge'], 'app state', 'app nonce']).size,
    ).toBe(5);
  });

  it.each([
    ['prompt', 'none'],
    ['login_hint', 'a@b.example'],
    ['max_age', '0'],
    ['acr_values', 'urn:mace:incommon:iap:silver'],
    ['ui_locales', 'de-CH de'],
  ])('passes %s=%s on', async (name, value) => {
    const url = await new Fixture().authorize({ ...oidc, [name]: value });
    expect(url.searchParams.getAll(name)).toEqual([value]);
  });

  it('keeps the state hashed and the rest sealed', async () => {
    const fixture = new Fixture();
    const url = await fixture.authorize();
    const [entry] = fixture.states.entries();
    expect(entry?.hash).not.toBe(url.searchParams.get('state'));
    expect(JSON.stringify(entry)).not.toContain(url.searchParams.get('state'));
  });

  it('uses PKCE towards the upstream whatever the app does', async () => {
    const url = await new Fixture().authorize();
    expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  });

  it('takes the scopes of the extension when the app names none', async () => {
    const spec = {
      provider_name: 'E',
      client_id: 'up',
      issuer_url: 'https://idp.example',
      scopes: ['a', 'b'],
    };
    const url = await new Fixture({ spec }).authorize();
    expect(url.searchParams.get('scope')).toBe('a b');
  });

  it.each([undefined, []])(
    'asks an OpenID provider for the usual scopes when neither names any (%j)',
    async (scopes) => {
      const spec = {
        provider_name: 'E',
        client_id: 'up',
        issuer_url: 'https://idp.example',
        ...(scopes && { scopes }),
      };
      expect((await new Fixture({ spec }).authorize()).searchParams.get('scope')).toBe(
        'openid email profile',
      );
    },
  );

  it('keeps the query of an endpoint and does not ask a provider for discovery that the spec describes', async () => {
    const spec = {
      provider_name: 'Hub',
      client_id: 'up',
      issuer_url: 'https://hub.example',
      authorization_endpoint: 'https://hub.example/authorize?access_type=offline',
      token_endpoint: 'https://hub.example/token',
    };
    const fixture = new Fixture({ spec });
    const url = await fixture.authorize();
    expect(url.searchParams.get('access_type')).toBe('offline');
    expect(url.searchParams.has('scope')).toBe(false);
    expect(fixture.upstream.asked).toEqual([]);
  });

  it('sends no nonce where an OpenID provider is not asked for an ID token', async () => {
    const url = await new Fixture().authorize({ scope: 'email' });
    expect(url.searchParams.has('nonce')).toBe(false);
  });

  it('asks for an ID token when the app sends a nonce without the scope', async () => {
    const url = await new Fixture().authorize({
      client_id: 'shop-login',
      response_type: 'code',
      nonce: 'n',
      scope: 'email',
    });
    expect(url.searchParams.get('scope')).toBe('openid email');
    expect(url.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/);
  });

  it('lets a pass-through app find its own nonce in the token that it gets untouched', async () => {
    const url = await new Fixture().authorize({ nonce: 'app nonce' });
    expect(url.searchParams.get('nonce')).toBe('app nonce');
  });

  it.each([
    [{ redirect_uri: 'https://evil.example/cb' }, 'invalid_request'],
    [{ client_id: 'shop-other' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ code_challenge: CHALLENGE, code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
    [{ request: 'jwt' }, 'request_not_supported'],
    [{ request_uri: 'https://x.example' }, 'request_uri_not_supported'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
  ])('refuses %j with 400 and remembers nothing', async (query, code) => {
    const fixture = new Fixture();
    await expect(fixture.authorize(query as Record<string, string>)).rejects.toMatchObject({
      code,
      status: 400,
    });
    expect(fixture.states.entries()).toEqual([]);
  });

  it('answers 404 for an unknown extension', async () => {
    const fixture = new Fixture();
    fixture.extension = { ...fixture.extension, extension: 'other' };
    await expect(fixture.authorize()).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ['cannot be reached', new UpstreamFault('unreachable', 'x')],
    ['has no endpoints', { metadata: { issuer: 'https://idp.example' }, clockSkewMs: null }],
  ])('throws the documented error when discovery %s', async (_what, discovery) => {
    const fixture = new Fixture();
    fixture.upstream.discovery = discovery;
    await expect(fixture.authorize()).rejects.toMatchObject({
      status: 502,
      message: 'Failed to resolve OAuth endpoints: No authorization_endpoint in spec or OIDC discovery',
    });
  });

  it.each([
    ['state', 2048],
    ['nonce', 512],
    ['scope', 4096],
  ])('takes %s of up to %d bytes', async (name, limit) => {
    await new Fixture().authorize({ [name]: 'a'.repeat(limit) });
    for (const value of ['a'.repeat(limit + 1), 'ä'.repeat(limit / 2 + 1)]) {
      await expect(new Fixture().authorize({ [name]: value })).rejects.toMatchObject({
        code: 'invalid_request',
        message: `${name} has more than ${limit} bytes`,
      });
    }
  });
});
