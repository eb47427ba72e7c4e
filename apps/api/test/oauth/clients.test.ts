import { timeoutFactor } from '@platform/development/testing';
import * as oauth from 'oauth4webapi';
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import { custom, Issuer } from 'openid-client5';
import { AuthorizationCode } from 'simple-oauth2';
import { Browser } from './browser.ts';
import { startFixture } from './platform.ts';
import { startProvider } from './provider.ts';

const APP = 'http://localhost:3456/cb';
let fixture: Awaited<ReturnType<typeof startFixture>>;

beforeAll(async () => {
  fixture = await startFixture(startProvider);
});
afterAll(() => fixture.close());

const arrive = async (url: string | URL) => (await new Browser().open(url, APP)).url;

describe('openid-client 5', () => {
  it('logs in, reads userinfo and refreshes', async () => {
    custom.setHttpOptionsDefaults({ timeout: 10_000 * timeoutFactor });
    const { clientId, secret, issuer } = fixture.app;
    const { Client } = await Issuer.discover(issuer);
    const client = new Client({
      client_id: clientId,
      client_secret: secret,
      redirect_uris: [APP],
      response_types: ['code'],
    });
    const url = client.authorizationUrl({
      scope: 'openid email offline_access',
      state: 's',
      nonce: 'n',
      prompt: 'consent',
    });
    const parameters = client.callbackParams((await arrive(url)).href);
    const tokens = await client.callback(APP, parameters, { state: 's', nonce: 'n' });
    expect(tokens.claims()).toMatchObject({ iss: issuer, aud: clientId, sub: 'alice', nonce: 'n' });
    expect(await client.userinfo(tokens)).toMatchObject({ sub: 'alice' });
    expect((await client.refresh(tokens)).claims().sub).toBe('alice');
  });
});

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true };

  it.each([
    ['oidc', 'openid email offline_access'],
    ['oauth2', 'email'],
  ] as const)('logs in and refreshes with metadata of %s and scope %s', async (algorithm, scope) => {
    const issuer = new URL(fixture.app.issuer);
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm, ...insecure }),
    );
    const client: oauth.Client = { client_id: fixture.app.clientId };
    const authentication = oauth.ClientSecretPost(fixture.app.secret);
    const verifier = oauth.generateRandomCodeVerifier();
    const nonce = algorithm === 'oidc' ? { nonce: 'n', prompt: 'consent' } : {};
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: APP,
      response_type: 'code',
      scope,
      state: 's',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...nonce,
    }).toString();
    const parameters = oauth.validateAuthResponse(as, client, await arrive(url), 's');
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authentication,
      parameters,
      APP,
      verifier,
      insecure,
    );
    const expected = algorithm === 'oidc' ? { expectedNonce: 'n', requireIdToken: true } : {};
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer, expected);
    if (algorithm === 'oidc') {
      await oauth.validateApplicationLevelSignature(as, answer, insecure);
      const me = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
      expect(await oauth.processUserInfoResponse(as, client, 'alice', me)).toMatchObject({ sub: 'alice' });
    }
    const again = await oauth.refreshTokenGrantRequest(
      as,
      client,
      authentication,
      tokens.refresh_token ?? '',
      insecure,
    );
    expect(await oauth.processRefreshTokenResponse(as, client, again)).toHaveProperty('access_token');
  });
});

describe('simple-oauth2', () => {
  it('logs in and refreshes', async () => {
    const { clientId: id, secret, issuer } = fixture.app;
    const path = new URL(issuer).pathname;
    const auth = {
      tokenHost: fixture.platform.publicUrl,
      tokenPath: `${path}/token`,
      authorizePath: `${path}/authorize`,
    };
    const client = new AuthorizationCode({ client: { id, secret }, auth });
    const options = {
      redirect_uri: APP,
      scope: 'openid email offline_access',
      state: 's',
      prompt: 'consent',
    };
    const back = await arrive(client.authorizeURL(options));
    expect(back.searchParams.get('state')).toBe('s');
    const token = await client.getToken({ code: back.searchParams.get('code') ?? '', redirect_uri: APP });
    expect(token.token).toMatchObject({ token_type: 'Bearer', access_token: expect.any(String) });
    const refreshed = await token.refresh();
    expect(refreshed.token['access_token']).not.toBe(token.token['access_token']);
  });
});

describe('oidc-client-ts', () => {
  const settings = () => ({
    authority: fixture.app.issuer,
    client_id: fixture.app.clientId,
    redirect_uri: APP,
    scope: 'openid email profile offline_access',
    loadUserInfo: true,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  });

  it('logs in as a browser does, with PKCE and without a secret', async () => {
    const client = new OidcClient(settings());
    const request = await client.createSigninRequest({ nonce: 'n', prompt: 'consent' });
    const response = await client.processSigninResponse((await arrive(request.url)).href);
    expect(response.profile).toMatchObject({
      iss: fixture.app.issuer,
      aud: 'shop-login',
      sub: 'alice',
      name: 'Alice',
    });
  });

  it('refreshes where it has the secret', async () => {
    const client = new OidcClient({ ...settings(), client_secret: fixture.app.secret });
    const request = await client.createSigninRequest({ nonce: 'n', prompt: 'consent' });
    const first = await client.processSigninResponse((await arrive(request.url)).href);
    const state = {
      ...first,
      data: undefined,
      profile: first.profile,
      refresh_token: first.refresh_token ?? '',
    };
    const second = await client.useRefreshToken({ state: state as never });
    expect(second.access_token).not.toBe(first.access_token);
  });
});
