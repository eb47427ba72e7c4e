import * as client from 'openid-client';
import { Browser } from './browser.ts';
import { startFixture } from './platform.ts';
import { startProvider } from './provider.ts';

const APP = 'http://localhost:3456/cb';
let fixture: Awaited<ReturnType<typeof startFixture>>;

beforeAll(async () => {
  fixture = await startFixture(startProvider);
});
afterAll(() => fixture.close());

async function configured(authentication: client.ClientAuth, secret?: string) {
  const { issuer, clientId } = fixture.app;
  const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks];
  return client.discovery(new URL(issuer), clientId, secret, authentication, { execute });
}

async function login(config: client.Configuration) {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: APP,
    scope: 'openid email profile offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    prompt: 'consent',
  });
  const { url: back } = await new Browser().open(url, APP);
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  };
  return client.authorizationCodeGrant(config, back, checks);
}

describe('openid-client 6, with signature checks', () => {
  it.each([
    ['client_secret_post', () => client.ClientSecretPost(fixture.app.secret)],
    ['client_secret_basic', () => client.ClientSecretBasic(fixture.app.secret)],
  ])('logs in, reads userinfo, refreshes and revokes with %s', async (_name, authentication) => {
    const config = await configured(authentication(), fixture.app.secret);
    const tokens = await login(config);
    const claims = tokens.claims();
    expect(claims).toMatchObject({
      iss: fixture.app.issuer,
      aud: 'shop-login',
      sub: 'alice',
      email: 'alice@example.com',
      upstream_iss: fixture.provider.issuer,
    });
    const me = await client.fetchUserInfo(config, tokens.access_token, 'alice');
    expect(me).toMatchObject({ sub: 'alice', name: 'Alice' });
    const refreshed = await client.refreshTokenGrant(config, String(tokens.refresh_token));
    expect(refreshed.claims()).toMatchObject({ iss: fixture.app.issuer, sub: 'alice' });
    await client.tokenRevocation(config, String(refreshed.refresh_token));
    await expect(client.refreshTokenGrant(config, String(refreshed.refresh_token))).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('learns that its secret is wrong', async () => {
    const config = await configured(client.ClientSecretPost('wrong'), 'wrong');
    await expect(client.refreshTokenGrant(config, 'rt')).rejects.toMatchObject({ error: 'invalid_client' });
  });

  it('logs in as a public client with PKCE', async () => {
    const config = await configured(client.None());
    const tokens = await login(config);
    expect(tokens.claims()?.sub).toBe('alice');
  });

  it('finds the metadata also where OAuth clients look for it', async () => {
    const execute = [client.allowInsecureRequests];
    const config = await client.discovery(
      new URL(fixture.app.issuer),
      'shop-login',
      undefined,
      client.None(),
      {
        execute,
        algorithm: 'oauth2',
      },
    );
    expect(config.serverMetadata().token_endpoint).toBe(`${fixture.app.issuer}/token`);
  });
});
