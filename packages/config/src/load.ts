import { checkSettings } from './check.ts';
import type { Config } from './config.ts';
import { crossCheck } from './cross-checks.ts';
import { developmentSettings } from './development.ts';
import { ConfigError, type ConfigFault } from './faults.ts';
import { interpolate } from './interpolate.ts';
import { applyOverrides } from './overrides.ts';
import { resolveDefaults } from './resolve.ts';
import type { Settings } from './schema/platform.ts';
import { type Environment, readSource } from './source.ts';
import { readTracing } from './tracing.ts';
import { platformVersion } from './version.ts';
import { warningsFor } from './warnings.ts';

/** What the configuration is read from; everything defaults to the running process. */
export interface LoadOptions {
  readonly env?: Environment;
  /** Relative paths are resolved against it. */
  readonly cwd?: string;
  /** Decides defaults that change with a release. */
  readonly version?: string;
}

/**
 * Reads the configuration: the file, or the development settings when there is none, then the
 * environment over it, then `${env:..}` and `${file:..}` (contract.md section 1); and what OpenTelemetry's variables say of traces.
 * Secrets that nobody configured are generated once and kept in `database.data_dir`.
 * Throws one {@link ConfigError} with every fault.
 */
export function loadConfig(options: LoadOptions = {}): Config {
  const { env = process.env, cwd = process.cwd(), version = platformVersion } = options;
  const source = readSource(env, cwd);
  const development = source.file === undefined;
  const production = env['NODE_ENV'] === 'production';
  if (development && production) {
    throw new ConfigError([{ key: 'PLATFORM_CONFIG', message: refusal }]);
  }
  const tree = development ? developmentSettings() : source.tree;
  const overrideFaults = applyOverrides(tree, env);
  const { tree: filled, faults: referenceFaults } = interpolate(tree, env, cwd);
  const { settings, faults } = checkSettings(filled);
  const { tracing, faults: tracingFaults } = readTracing(env, cwd);
  const all = [
    ...overrideFaults,
    ...referenceFaults,
    ...faults,
    ...crossCheck(settings),
    ...tracingFaults,
    ...(production ? secretsOfProduction(settings as Settings) : []),
  ];
  if (all.length > 0) throw new ConfigError(firstOfEach(all));
  const circumstances = { file: source.file, development, cwd, version };
  const config = resolveDefaults(settings as Settings, circumstances);
  return { ...config, tracing, warnings: warningsFor(config, production) };
}

const refusal =
  'must name a configuration file when NODE_ENV is production; the development settings are not for it';

// With an external database there may be many replicas, and each would keep a secret of its own.
function secretsOfProduction(settings: Partial<Settings>): ConfigFault[] {
  if (settings.database?.url === undefined) return [];
  const message = 'is required in production with an external database';
  const faults: ConfigFault[] = [];
  const { server, encryption } = settings;
  if (server !== undefined && 'jwt_signing_secret' in server && server.jwt_signing_secret === undefined) {
    faults.push({ key: 'server.jwt_signing_secret', message });
  }
  if (encryption?.keys?.length === 0) faults.push({ key: 'encryption.keys', message });
  return faults;
}

// A reference that cannot be filled in leaves a value that is often wrong as well: told once a key.
function firstOfEach(faults: readonly ConfigFault[]): ConfigFault[] {
  const seen = new Set<string>();
  return faults.filter(({ key }) => !seen.has(key) && seen.add(key));
}
