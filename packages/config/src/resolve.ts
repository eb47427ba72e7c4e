import { createPublicKey } from 'node:crypto';
import { resolve } from 'node:path';
import type { Config } from './config.ts';
import { ConfigError } from './faults.ts';
import { type GeneratedSecrets, generateSigningKey, readOrGenerateSecrets } from './generated.ts';
import type { Settings } from './schema/platform.ts';
import { rawTokensDefault } from './version.ts';

/** The context that defaults depend on. */
export interface ResolveContext {
  readonly file: string | undefined;
  readonly development: boolean;
  readonly cwd: string;
  readonly version: string;
}

/** Fills in the defaults that depend on other keys, the version or generated secrets. */
export function resolveDefaults(settings: Settings, context: ResolveContext): Config {
  const { auth, encryption } = settings;
  const { jwt_signing_secret: onlySecret, jwt_signing_secrets: secrets, ...server } = settings.server;
  const database = { ...settings.database, data_dir: resolve(context.cwd, settings.database.data_dir) };
  const generated: string[] = [];
  const generatedSecrets = createSecretsReader(database.data_dir);
  const orGenerated = <T>(key: string, given: T | undefined, make: () => T): T => {
    if (given !== undefined) return given;
    generated.push(key);
    return make();
  };
  const publicUrl = server.public_url ?? `http://localhost:${server.listen.port}`;
  const privateKey = orGenerated('server.rs256_private_key_pem', server.rs256_private_key_pem, () =>
    context.development
      ? generatedSecrets('server.rs256_private_key_pem').rs256_private_key_pem
      : generateSigningKey(),
  );
  const firstSecret = orGenerated(
    'server.jwt_signing_secret',
    secrets[0] ?? onlySecret,
    () => generatedSecrets('server.jwt_signing_secret').jwt_signing_secret,
  );
  return {
    ...settings,
    database,
    server: {
      ...server,
      ...(context.development ? { tls_listen: server.tls_listen ?? developmentTls(server) } : {}),
      public_url: publicUrl,
      jwt_signing_secrets: [firstSecret, ...secrets.slice(1)],
      rs256_private_key_pem: privateKey,
      rs256_public_key_pem: server.rs256_public_key_pem ?? publicKeyOf(privateKey),
      cookie_secure: server.cookie_secure ?? publicUrl.startsWith('https:'),
    },
    auth: {
      ...auth,
      allow_raw_external_tokens: auth.allow_raw_external_tokens ?? rawTokensDefault(context.version),
    },
    encryption: {
      keys: orGenerated('encryption.keys', encryption.keys.length > 0 ? encryption.keys : undefined, () => [
        { id: 'generated', key: generatedSecrets('encryption.keys').encryption_key },
      ]),
    },
    tracing: null,
    warnings: [],
    origin: { file: context.file, development: context.development, generated },
  };
}

/** The PEM of the public key of a private key. */
function publicKeyOf(privatePem: string): string {
  return createPublicKey(privatePem).export({ type: 'spki', format: 'pem' }).toString();
}

function createSecretsReader(dataDir: string): (key: string) => GeneratedSecrets {
  let secrets: GeneratedSecrets | undefined;
  return (key) => {
    try {
      secrets ??= readOrGenerateSecrets(dataDir);
      return secrets;
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      const { message } = error as Error;
      throw new ConfigError([
        {
          key,
          message: `is not configured, and a generated value cannot be kept in database.data_dir: ${message}`,
        },
      ]);
    }
  };
}

/** Nobody asked for this address, so it gives way to one that is set. */
function developmentTls({
  listen,
  metrics_listen: metrics,
}: Pick<Settings['server'], 'listen' | 'metrics_listen'>): Config['server']['tls_listen'] {
  const address = { host: '127.0.0.1', port: 8443 };
  return [listen.port, metrics?.port].includes(address.port) ? undefined : address;
}
