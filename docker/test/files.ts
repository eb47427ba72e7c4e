import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The text of a file below `docker/`. */
export function text(path: string): string {
  return readFileSync(join(root, 'docker', path), 'utf8');
}

/** The one YAML document of a file below `docker/`; merge keys are followed, as compose does. */
export function yaml<T>(path: string): T {
  return parse(text(path), { merge: true }) as T;
}

/** Every YAML document of a file below `docker/`. */
export function documents<T>(path: string): readonly T[] {
  return parseAllDocuments(text(path), { merge: true }).map((document) => document.toJS() as T);
}

/** Writes secrets as an installation has them, one a file, and returns their names. */
export function writeSecrets(directory: string, databaseUrl: string): readonly string[] {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const secrets = {
    jwt_signing_secret: randomBytes(32).toString('base64'),
    encryption_key: randomBytes(32).toString('base64'),
    database_password: randomBytes(24).toString('hex'),
    database_url: databaseUrl,
    rs256_private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    auth_client_secret: 'secret',
  };
  for (const [name, value] of Object.entries(secrets)) writeFileSync(join(directory, name), `${value}\n`);
  return Object.keys(secrets);
}

/** One of the secrets that `writeSecrets` wrote. */
export function secretIn(directory: string, name: string): string {
  return readFileSync(join(directory, name), 'utf8').trim();
}

/** A configuration of `docker/` whose secrets lie in `directory`. */
export function configIn(path: string, mount: string, directory: string): string {
  const file = join(directory, 'config.yaml');
  writeFileSync(file, text(path).replaceAll(mount, directory));
  return file;
}
