// Login through the platform's OAuth proxy in a server-rendered app. See README.md.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';
import * as client from 'openid-client';

const { LOGIN_ISSUER, LOGIN_CLIENT_ID, LOGIN_CLIENT_SECRET, PORT = '3000' } = process.env;
if (!LOGIN_ISSUER || !LOGIN_CLIENT_ID || !LOGIN_CLIENT_SECRET) {
  console.error('Start this app with: platform run --project <project> --extension login -- npm start');
  process.exit(1);
}

// Allows plain HTTP only for a local platform.
const local = new URL(LOGIN_ISSUER).protocol === 'http:';
const config = await client.discovery(
  new URL(LOGIN_ISSUER),
  LOGIN_CLIENT_ID,
  undefined,
  client.ClientSecretPost(LOGIN_CLIENT_SECRET),
  { execute: local ? [client.allowInsecureRequests] : [] },
);

const app = express();
const server = createServer(app);
const sessions = new Map();
const cookieOptions = { httpOnly: true, sameSite: 'lax', secure: !local };
const callbackUrl = (request) => `${request.protocol}://${request.headers.host}/callback`;
const cookie = (request, name) =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1];

app.get('/', (request, response) => {
  const user = sessions.get(cookie(request, 'session'));
  if (!user) return response.send('<p>You are not logged in.</p><p><a href="/login">Log in</a></p>');
  const name = String(user.email ?? user.sub).replace(/[&<>]/g, '');
  response.send(`<p>Hello, <b id="user">${name}</b>!</p><p><a href="/logout">Log out</a></p>`);
});

app.get('/login', async (request, response) => {
  const pending = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
  };
  // The cookie binds the login to this browser.
  response.cookie('pending', Buffer.from(JSON.stringify(pending)).toString('base64url'), cookieOptions);
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callbackUrl(request),
    scope: 'openid email profile',
    state: pending.expectedState,
    nonce: pending.expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pending.pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  response.redirect(url.href);
});

app.get('/callback', async (request, response) => {
  const pending = cookie(request, 'pending');
  if (!pending)
    return response.status(400).send('<p>No login is in progress. <a href="/login">Log in</a></p>');
  const checks = JSON.parse(Buffer.from(pending, 'base64url').toString());
  const current = new URL(request.originalUrl, callbackUrl(request));
  try {
    const tokens = await client.authorizationCodeGrant(config, current, { ...checks, idTokenExpected: true });
    const id = randomBytes(32).toString('base64url');
    sessions.set(id, tokens.claims());
    response.clearCookie('pending').cookie('session', id, cookieOptions).redirect('/');
  } catch (error) {
    // The proxy returns OAuth error codes such as `access_denied`.
    const text = String(error.error_description ?? error.message).replace(/[&<>]/g, '');
    response.status(400).send(`<p id="error">${text}</p><p><a href="/login">Try again</a></p>`);
  }
});

app.get('/logout', (request, response) => {
  sessions.delete(cookie(request, 'session'));
  response.clearCookie('session').redirect('/');
});

server.listen(Number(PORT), 'localhost', () => {
  console.log(`http://localhost:${server.address().port}`);
});
