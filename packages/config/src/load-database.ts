import { resolve } from 'node:path';
import { checkSettings } from './check.ts';
import type { Config } from './config.ts';
import { ConfigError } from './faults.ts';
import { interpolate } from './interpolate.ts';
import type { LoadOptions } from './load.ts';
import { applyOverrides } from './overrides.ts';
import { readSource } from './source.ts';
import type { Tree } from './tree.ts';

/** What a tool for the database alone reads. */
export interface LoadDatabaseOptions extends Omit<LoadOptions, 'version'> {
  /** Instead of `database.url`; then neither file nor environment is read. */
  readonly url?: string | undefined;
}

/**
 * Reads the section `database` as {@link loadConfig} does, and nothing else: no other key is judged, no secret resolved or
 * generated, because who looks after a database need not have them. Throws one {@link ConfigError} with every fault.
 */
export function loadDatabase(options: LoadDatabaseOptions = {}): Config['database'] {
  const { env = process.env, cwd = process.cwd(), url } = options;
  const tree: Tree =
    url === undefined ? { database: readSource(env, cwd).tree['database'] } : { database: { url } };
  const variables = Object.entries(env).filter(([name]) => /^PLATFORM__DATABASE(__|$)/.test(name));
  const overrideFaults = url === undefined ? applyOverrides(tree, Object.fromEntries(variables)) : [];
  const { tree: filled, faults: referenceFaults } = interpolate(tree, env, cwd);
  const { settings, faults } = checkSettings(filled);
  const all = [...overrideFaults, ...referenceFaults, ...faults.filter(({ key }) => /^database\b/.test(key))];
  if (all.length > 0) throw new ConfigError(all);
  const database = settings.database as Config['database'];
  return { ...database, data_dir: resolve(cwd, database.data_dir) };
}
