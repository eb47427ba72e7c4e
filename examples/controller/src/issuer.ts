import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

// Stands in for the identity provider of a cluster or cloud: it publishes its key, and renews a token of the controller in a file.
// The platform trusts it because of the setting `auth.controllers`.

const lifetimeSeconds = 600;
const { ISSUER_PORT = '9000', CONTROLLER_TOKEN_FILE = 'controller.token' } = process.env;
const issuer = `http://127.0.0.1:${ISSUER_PORT}`;
const { publicKey, privateKey } = await generateKeyPair('RS256');
const kid = randomUUID();

const documents: Record<string, unknown> = {
  '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/jwks` },
  '/jwks': { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }] },
};

const server = createServer((request, response) => {
  const document = documents[request.url ?? ''];
  response.writeHead(document === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(document ?? {}));
}).listen(Number(ISSUER_PORT), '127.0.0.1');

/** Replaces the token file atomically, so that readers never see a partial token. */
async function writeToken(): Promise<void> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(issuer)
    .setAudience('platform')
    .setSubject('publisher')
    .setIssuedAt()
    .setExpirationTime(`${lifetimeSeconds}s`)
    .sign(privateKey);
  writeFileSync(`${CONTROLLER_TOKEN_FILE}.new`, token, { mode: 0o600 });
  renameSync(`${CONTROLLER_TOKEN_FILE}.new`, CONTROLLER_TOKEN_FILE);
}

await writeToken();
const timer = setInterval(writeToken, (lifetimeSeconds * 1000) / 2);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    clearInterval(timer);
    server.close();
  });
}
