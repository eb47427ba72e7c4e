import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Auth, type AuthConfig, skipCSRFCheck } from '@auth/core';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import session from 'express-session';
import { Passport } from 'passport';
import OpenIdConnectStrategy from 'passport-openidconnect';
import { startApp } from './app-server.ts';
import { Browser } from './browser.ts';
import { startFixture } from './platform.ts';
import { startProvider } from './provider.ts';

let fixture: Awaited<ReturnType<typeof startFixture>>;

beforeAll(async () => {
  fixture = await startFixture(startProvider);
});
afterAll(() => fixture.close());

describe('express-openid-connect', () => {
  it('logs in, reads userinfo and refreshes', async () => {
    const { issuer, clientId, secret } = fixture.app;
    const script = fileURLToPath(new URL('apps/express-openid-connect.mjs', import.meta.url));
    const env = {
      PATH: process.env['PATH'] ?? '',
      ISSUER: issuer,
      CLIENT_ID: clientId,
      CLIENT_SECRET: secret,
    };
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const { response } = await new Browser().open(`${line.toString().trim()}/me`);
      expect(await response?.json()).toMatchObject({
        claims: { iss: issuer, aud: 'shop-login', sub: 'alice' },
        userinfo: { sub: 'alice', email: 'alice@example.com' },
        refreshed: true,
      });
    } finally {
      child.kill();
    }
  });
});

describe('passport-openidconnect', () => {
  it('logs in and reads userinfo', async () => {
    const passport = new Passport();
    const app = await startApp((server, origin) => {
      const { issuer, clientId, secret } = fixture.app;
      passport.use(
        new OpenIdConnectStrategy(
          {
            issuer,
            authorizationURL: `${issuer}/authorize`,
            tokenURL: `${issuer}/token`,
            userInfoURL: `${issuer}/userinfo`,
            clientID: clientId,
            clientSecret: secret,
            callbackURL: `${origin}/callback`,
            scope: ['email', 'profile'],
          },
          (_issuer: string, profile: object, done: (error: Error | null, user?: object) => void) =>
            done(null, profile),
        ),
      );
      server.use(session({ secret: 'x', resave: false, saveUninitialized: false }));
      server.get('/me', passport.authenticate('openidconnect', { session: false }));
      server.get(
        '/callback',
        passport.authenticate('openidconnect', { session: false }),
        (request, response) => {
          response.json(request.user);
        },
      );
    });
    try {
      const { body } = await app.visit('/me');
      expect(body).toMatchObject({
        id: 'alice',
        displayName: 'Alice',
        emails: [{ value: 'alice@example.com' }],
      });
    } finally {
      await app.close();
    }
  });
});

describe('@auth/core', () => {
  it('logs in with its generic OpenID Connect provider', async () => {
    const app = await startApp((server, origin) => {
      const { issuer, clientId, secret } = fixture.app;
      const config: AuthConfig = {
        secret: 'a secret for the cookies of the app',
        trustHost: true,
        basePath: '/auth',
        skipCSRFCheck,
        providers: [
          {
            id: 'platform',
            name: 'Platform',
            type: 'oidc',
            issuer,
            clientId,
            clientSecret: secret,
            checks: ['pkce', 'state', 'nonce'],
          },
        ],
        callbacks: {
          jwt: ({ token, account }) => ({
            ...token,
            subject: account?.providerAccountId ?? token['subject'],
          }),
          session: ({ session: current, token }) => ({ ...current, subject: token['subject'] }),
        },
      };
      server.get('/auth/*path', (request, response) =>
        relay(new Request(origin + request.originalUrl, sent(request)), config, response),
      );
      // The sign-in button of the framework's page does.
      server.get('/me', (request, response) => {
        const body = new URLSearchParams({ callbackUrl: `${origin}/auth/session` });
        return relay(
          new Request(`${origin}/auth/signin/platform`, { method: 'POST', body, ...sent(request) }),
          config,
          response,
        );
      });
    });
    try {
      const { body } = await app.visit('/me');
      expect(body).toMatchObject({ subject: 'alice' });
    } finally {
      await app.close();
    }
  });
});

const sent = (request: ExpressRequest) => ({ headers: { cookie: request.headers.cookie ?? '' } });

async function relay(request: Request, config: AuthConfig, response: ExpressResponse): Promise<void> {
  const answer = await Auth(request, config);
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.append(name, value);
  response.send(await answer.text());
}
