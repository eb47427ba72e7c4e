import { isIP } from 'node:net';
import { checkSettings, type Partially } from './check.ts';
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
 * environment over it, then `${env:..}` and `${file:..}`; and what OpenTelemetry's variables say of traces.
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
    ...(production ? faultsOfProduction(settings) : []),
    ...(development ? faultsOfDevelopment(settings) : []),
  ];
  if (all.length > 0) throw new ConfigError(firstOfEach(all));
  const circumstances = { file: source.file, development, cwd, version };
  const config = resolveDefaults(settings as Settings, circumstances);
  return { ...config, tracing, warnings: warningsFor(config) };
}

const refusal =
  'must name a configuration file when NODE_ENV is production; the development settings are not for it';

/** What production needs; a key with a fault of its own is missing here, and told once. */
function faultsOfProduction({ server, database, encryption }: Partially<Settings>): ConfigFault[] {
  const faults: ConfigFault[] = [];
  // Attack: a session cookie without Secure is read on the way of the first request over plain http.
  if (server !== undefined && 'public_url' in server && !server.public_url?.startsWith('https:')) {
    faults.push({
      key: 'server.public_url',
      message: 'must be given and be https when NODE_ENV is production',
    });
  }
  // Each replica would sign with a key of its own, which the key set of another does not have.
  const hasKey = server === undefined || !('rs256_private_key_pem' in server) || server.rs256_private_key_pem;
  if (!hasKey) faults.push({ key: 'server.rs256_private_key_pem', message: 'is required in production' });
  // With an external database there may be many replicas, and each would keep a secret of its own.
  if (database?.url === undefined) return faults;
  const message = 'is required in production with an external database';
  const unset = (key: 'jwt_signing_secret' | 'jwt_signing_secrets') =>
    server !== undefined && key in server && (server[key] ?? []).length === 0;
  if (unset('jwt_signing_secret') && unset('jwt_signing_secrets')) {
    faults.push({ key: 'server.jwt_signing_secret', message });
  }
  if (encryption?.keys?.length === 0) faults.push({ key: 'encryption.keys', message });
  return faults;
}

/**
 * Attack: the development settings let everybody be anybody. On an address that others reach, everybody is an operator.
 */
function faultsOfDevelopment({ server, collector }: Partially<Settings>): ConfigFault[] {
  const addresses = { 'server.listen': server?.listen, 'collector.listen': collector?.listen };
  return Object.entries(addresses).flatMap(([key, listen]) =>
    listen === undefined || isLoopbackHost(listen.host)
      ? []
      : [
          {
            key,
            message:
              'must be a loopback address without a configuration file; write one to be reached by others',
          },
        ],
  );
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

// A reference that cannot be filled in leaves a value that is often wrong as well: told once a key.
function firstOfEach(faults: readonly ConfigFault[]): ConfigFault[] {
  const seen = new Set<string>();
  return faults.filter(({ key }) => !seen.has(key) && seen.add(key));
}
