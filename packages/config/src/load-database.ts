import { resolve } from 'node:path';
import { checkSettings } from './check.ts';
import type { Config } from './config.ts';
import { ConfigError, firstOfEach } from './faults.ts';
import { readSecrets } from './generated.ts';
import { interpolate } from './interpolate.ts';
import type { LoadOptions } from './load.ts';
import { applyOverrides } from './overrides.ts';
import { readSource } from './source.ts';
import type { Tree } from './tree.ts';

/** The options for tools that need only the database. */
export interface LoadDatabaseOptions extends Omit<LoadOptions, 'version'> {
  /** Instead of `database.url`; then neither file nor environment is read for the section `database`. */
  readonly url?: string | undefined;
}

/**
 * Reads only the section `database`, like {@link loadConfig}. Checks no other key, and resolves or generates no secret, because a database
 * administrator need not have them. Throws one {@link ConfigError} with every fault.
 */
export function loadDatabase(options: LoadDatabaseOptions = {}): Config['database'] {
  const { env = process.env, cwd = process.cwd(), url } = options;
  const tree: Tree = { database: url === undefined ? readSource(env, cwd).tree['database'] : { url } };
  const database = readSection('database', url === undefined, { tree, env, cwd }) as Config['database'];
  return { ...database, data_dir: resolve(cwd, database.data_dir) };
}

/**
 * Reads the section `encryption` as {@link loadConfig} does. Without keys there, those of the secrets file in `dataDir`, which is not
 * created: keys that were never used open nothing. Throws one {@link ConfigError} with every fault.
 */
export function loadEncryption(
  dataDir: string,
  { env = process.env, cwd = process.cwd() }: Omit<LoadOptions, 'version'> = {},
): Config['encryption'] {
  const tree: Tree = { encryption: readSource(env, cwd).tree['encryption'] };
  const encryption = readSection('encryption', true, { tree, env, cwd }) as Config['encryption'];
  if (encryption.keys.length > 0) return encryption;
  const secrets = readSecrets(dataDir);
  if (secrets !== undefined) return { keys: [{ id: 'generated', key: secrets.encryption_key }] };
  const message = `is not configured, and ${dataDir} has no secrets file; use the configuration of the service`;
  throw new ConfigError([{ key: 'encryption.keys', message }]);
}

function readSection(
  name: 'database' | 'encryption',
  overridable: boolean,
  { tree, env, cwd }: { tree: Tree; env: NodeJS.ProcessEnv; cwd: string },
): unknown {
  const prefix = `PLATFORM__${name.toUpperCase()}`;
  const variables = Object.entries(env).filter(([key]) => key === prefix || key.startsWith(`${prefix}__`));
  const overrideFaults = overridable ? applyOverrides(tree, Object.fromEntries(variables)) : [];
  const { tree: filled, faults: referenceFaults } = interpolate(tree, env, cwd);
  const { settings, faults } = checkSettings(filled);
  const own = faults.filter(({ key }) => key.split(/[.[]/)[0] === name);
  const all = [...overrideFaults, ...referenceFaults, ...own];
  if (all.length > 0) throw new ConfigError(firstOfEach(all));
  return settings[name];
}
