import * as client from 'openid-client';
import { chooseAtDevelopmentProvider, ScriptlessBrowser } from '../../testing/index.ts';
import { developmentPeople } from './people.ts';
import { type DevelopmentIdentityProvider, startDevelopmentIdentityProvider } from './provider.ts';

const redirectUri = 'http://localhost:9/callback';

describe('the development identity provider', () => {
  let provider: DevelopmentIdentityProvider;
  beforeAll(async () => {
    provider = await startDevelopmentIdentityProvider({
      port: 0,
      clientId: 'platform',
      clientSecret: 'development-secret',
      redirectUris: [redirectUri],
      people: developmentPeople,
    });
  });
  afterAll(() => provider.close());

  async function logIn(subject: string, browser = new ScriptlessBrowser()) {
    const configuration = await client.discovery(
      new URL(provider.issuer),
      'platform',
      'development-secret',
      undefined,
      {
        execute: [client.allowInsecureRequests],
      },
    );
    const verifier = client.randomPKCECodeVerifier();
    const nonce = client.randomNonce();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: 'state-1',
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const page = await browser.follow(url.href);
    const done = await chooseAtDevelopmentProvider(browser, url.href, subject, (at) =>
      at.startsWith(redirectUri),
    );
    if (done.location === null) return { page, claims: undefined };
    const tokens = await client.authorizationCodeGrant(configuration, new URL(done.location), {
      expectedState: 'state-1',
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
    });
    return { page, claims: tokens.claims() };
  }

  it.each(developmentPeople)(
    'lets a person log in as $email by choosing it, and puts the claims into the ID token',
    async (person) => {
      const { page, claims } = await logIn(person.subject);
      expect(page.text).toContain(person.email);
      expect(claims).toMatchObject({
        iss: provider.issuer,
        sub: person.subject,
        email: person.email,
        email_verified: true,
        name: person.name,
        groups: person.groups,
      });
    },
  );

  it('asks each time, so that one browser can be another person next', async () => {
    const browser = new ScriptlessBrowser();
    expect((await logIn('admin', browser)).claims?.sub).toBe('admin');
    expect((await logIn('dev', browser)).claims?.sub).toBe('dev');
  });

  it('logs nobody in that it does not know', async () => {
    expect((await logIn('root')).claims).toBeUndefined();
  });
});
