import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, createDataDirectory, overrideName, overrideValue } from '@platform/config';
import { appsClientOf, developmentPeople, startDevelopmentIdentityProvider } from '@platform/development';

/** The development identity provider, and the configuration for the API. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Environment variables for the processes of the platform. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const clientId = 'platform';

/**
 * Starts an identity provider on loopback that accepts every identity, for the development settings only; undefined if there is a
 * configuration file, or an issuer in the environment.
 */
export async function provideIdentities(config: Config): Promise<IdentityProvider | undefined> {
  if (!config.origin.development || config.auth.issuer !== undefined) return undefined;
  const clientSecret = randomBytes(32).toString('base64url');
  const { issuer, close } = await startProvider(config, clientSecret);
  const exempt = [...config.outbound.allow_insecure_origins, new URL(issuer).origin];
  const values = {
    'auth.issuer': issuer,
    'auth.client_id': clientId,
    'auth.client_secret': clientSecret,
    'outbound.allow_insecure_origins': exempt,
  };
  const env = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [overrideName(key), overrideValue(value)]),
  );
  return { issuer, env, stop: close };
}

async function startProvider(config: Config, clientSecret: string) {
  const redirectUris = [`${config.server.public_url}/api/v1/auth/callback`];
  const apps = appsClientOf(config.server.public_url);
  const options = { clientId, clientSecret, redirectUris, apps, people: developmentPeople };
  const provider = await startDevelopmentIdentityProvider({ ...options, port: keptPort(config) }).catch(() =>
    startDevelopmentIdentityProvider({ ...options, port: 0 }),
  );
  keepPort(config, Number(new URL(provider.issuer).port));
  return provider;
}

// Users are identified by issuer and subject, and the issuer contains the port, so the port should stay the same.
function portFile({ database }: Config): string {
  return join(database.data_dir, 'identity-provider-port');
}

function keptPort(config: Config): number {
  const file = portFile(config);
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
}

function keepPort(config: Config, port: number): void {
  createDataDirectory(config.database.data_dir);
  writeFileSync(portFile(config), `${port}\n`);
}
