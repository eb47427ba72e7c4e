// An app with express-openid-connect, in a process of its own: jest cannot load a CommonJS package that requires an ES module.
// Writes its origin to standard output once it listens.
import { createServer } from 'node:http';
import express from 'express';
import openid from 'express-openid-connect';

const { ISSUER, CLIENT_ID, CLIENT_SECRET } = process.env;
const app = express();
const server = createServer(app);
server.listen(0, '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  app.use(
    openid.auth({
      issuerBaseURL: ISSUER,
      baseURL: origin,
      clientID: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      secret: 'a secret for the session cookie of the app',
      authRequired: false,
      authorizationParams: {
        response_type: 'code',
        response_mode: 'query',
        scope: 'openid email offline_access',
        prompt: 'consent',
      },
    }),
  );
  app.get('/me', openid.requiresAuth(), async (request, response) => {
    const { oidc } = request;
    const refreshed = await oidc.accessToken.refresh();
    response.json({
      claims: oidc.idTokenClaims,
      userinfo: await oidc.fetchUserInfo(),
      refreshed: refreshed.access_token !== undefined,
    });
  });
  process.stdout.write(`${origin}\n`);
});
