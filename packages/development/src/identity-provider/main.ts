import { readFileSync } from 'node:fs';
import { appsClientOf } from './apps-client.ts';
import { developmentPeople } from './people.ts';
import { startDevelopmentIdentityProvider } from './provider.ts';

/**
 * The development identity provider as a program of its own, for docker/compose/try.yaml: `ISSUER` is its address, `PUBLIC_URL` the
 * platform's, `CLIENT_ID` and the file `CLIENT_SECRET_FILE` the platform's client. It listens on every address of its container.
 */
const {
  ISSUER = '',
  PUBLIC_URL = '',
  CLIENT_ID = '',
  CLIENT_SECRET_FILE = '',
  HOST = '0.0.0.0',
} = process.env;

const { issuer, close } = await startDevelopmentIdentityProvider({
  port: Number(new URL(ISSUER).port),
  elsewhere: { host: HOST, issuer: ISSUER },
  clientId: CLIENT_ID,
  clientSecret: readFileSync(CLIENT_SECRET_FILE, 'utf8').trim(),
  redirectUris: [`${PUBLIC_URL}/api/v1/auth/callback`],
  apps: appsClientOf(PUBLIC_URL),
  people: developmentPeople,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close());
console.log(issuer);
