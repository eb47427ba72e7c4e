import { createPublicKey } from 'node:crypto';
import { resolve } from 'node:path';
import type { Config } from './config.ts';
import { ConfigError } from './faults.ts';
import { type KeptSecrets, keptSecrets, newSigningKey } from './generated.ts';
import type { Settings } from './schema/platform.ts';
import { rawTokensDefault } from './version.ts';

/** Where and as what the process runs; what the defaults depend on. */
export interface Circumstances {
  readonly file: string | undefined;
  readonly development: boolean;
  readonly cwd: string;
  readonly version: string;
}

/** Fills in the defaults that depend on other keys, the version or generated secrets. */
export function resolveDefaults(settings: Settings, circumstances: Circumstances): Config {
  const { auth, encryption } = settings;
  const { jwt_signing_secret: onlySecret, jwt_signing_secrets: secrets, ...server } = settings.server;
  const database = { ...settings.database, data_dir: resolve(circumstances.cwd, settings.database.data_dir) };
  const generated: string[] = [];
  const kept = keeper(database.data_dir);
  const orGenerated = <T>(key: string, given: T | undefined, make: () => T): T => {
    if (given !== undefined) return given;
    generated.push(key);
    return make();
  };
  const publicUrl = server.public_url ?? `http://localhost:${server.listen.port}`;
  const privateKey = orGenerated('server.rs256_private_key_pem', server.rs256_private_key_pem, () =>
    circumstances.development ? kept('server.rs256_private_key_pem').rs256_private_key_pem : newSigningKey(),
  );
  const firstSecret = orGenerated(
    'server.jwt_signing_secret',
    secrets[0] ?? onlySecret,
    () => kept('server.jwt_signing_secret').jwt_signing_secret,
  );
  return {
    ...settings,
    database,
    server: {
      ...server,
      public_url: publicUrl,
      jwt_signing_secrets: [firstSecret, ...secrets.slice(1)],
      rs256_private_key_pem: privateKey,
      rs256_public_key_pem: server.rs256_public_key_pem ?? publicHalf(privateKey),
      cookie_secure: server.cookie_secure ?? publicUrl.startsWith('https:'),
    },
    auth: {
      ...auth,
      allow_raw_external_tokens: auth.allow_raw_external_tokens ?? rawTokensDefault(circumstances.version),
    },
    encryption: {
      keys: orGenerated('encryption.keys', encryption.keys.length > 0 ? encryption.keys : undefined, () => [
        { id: 'generated', key: kept('encryption.keys').encryption_key },
      ]),
    },
    tracing: null,
    warnings: [],
    origin: { file: circumstances.file, development: circumstances.development, generated },
  };
}

/** The PEM of the public key that belongs to a private one. */
function publicHalf(privatePem: string): string {
  return createPublicKey(privatePem).export({ type: 'spki', format: 'pem' }).toString();
}

function keeper(dataDir: string): (key: string) => KeptSecrets {
  let secrets: KeptSecrets | undefined;
  return (key) => {
    try {
      secrets ??= keptSecrets(dataDir);
      return secrets;
    } catch (error) {
      const { message } = error as Error;
      throw new ConfigError([{ key, message: `is not configured and cannot be kept: ${message}` }]);
    }
  };
}
