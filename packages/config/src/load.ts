import { isIP } from 'node:net';
import { checkSettings, type Partially } from './check.ts';
import type { Config } from './config.ts';
import { crossCheck } from './cross-checks.ts';
import { ConfigError, type ConfigFault, firstOfEach } from './faults.ts';
import { interpolate } from './interpolate.ts';
import { applyOverrides, misspelledOverrides } from './overrides.ts';
import { resolveDefaults } from './resolve.ts';
import type { Settings } from './schema/platform.ts';
import { type Environment, readSource } from './source.ts';
import { readTracing } from './tracing.ts';
import type { Tree } from './tree.ts';
import { softwareVersion } from './version.ts';
import { warningsFor } from './warnings.ts';

/** The sources of the configuration; the defaults are those of the running process. */
export interface LoadOptions {
  readonly env?: Environment;
  /** Relative paths are resolved against it. */
  readonly cwd?: string;
  /** The software version, for defaults that change with a release. */
  readonly version?: string;
}

/**
 * Reads the configuration: the file, or the development settings without a file; then the environment, which overrides it; then
 * `${env:..}` and `${file:..}`; and the variables of OpenTelemetry for tracing. Secrets that are not configured are generated once and
 * stored in `database.data_dir`.
 * Throws one {@link ConfigError} with every fault.
 */
export function loadConfig(options: LoadOptions = {}): Config {
  const { env = process.env, cwd = process.cwd(), version = softwareVersion } = options;
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
    ...crossCheck(settings, filled),
    ...tracingFaults,
    ...(production ? faultsOfProduction(settings) : []),
    ...(development ? faultsOfDevelopment(settings) : faultsOfFile(settings)),
  ];
  if (all.length > 0) throw new ConfigError(firstOfEach(all));
  const context = { file: source.file, development, cwd, version };
  const config = resolveDefaults(settings as Settings, context);
  return { ...config, tracing, warnings: [...warningsFor(config), ...misspelledOverrides(env)] };
}

const refusal =
  'must name a configuration file when NODE_ENV is production; the development settings are not for it';

/** The additional requirements of production. A key with a fault is missing here, so that it is reported once. */
function faultsOfProduction({ server, database, encryption }: Partially<Settings>): ConfigFault[] {
  const faults: ConfigFault[] = [];
  // Attack: a session cookie without Secure is read from the first request over plain http.
  if (server !== undefined && 'public_url' in server && !server.public_url?.startsWith('https:')) {
    faults.push({
      key: 'server.public_url',
      message: 'must be given and be https when NODE_ENV is production',
    });
  }
  // Each replica would sign with its own key, which is missing in the key sets of the others.
  const hasKey = server === undefined || !('rs256_private_key_pem' in server) || server.rs256_private_key_pem;
  if (!hasKey) faults.push({ key: 'server.rs256_private_key_pem', message: 'is required in production' });
  // With an external database there may be several replicas, and each would generate its own secret.
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

/** The launcher generates a certificate for the development settings only. */
function faultsOfFile({ server }: Partially<Settings>): ConfigFault[] {
  if (server?.tls_listen === undefined) return [];
  return (['tls_certificate_pem', 'tls_private_key_pem'] as const)
    .filter((key) => key in server && server[key] === undefined)
    .map((key) => ({ key: `server.${key}`, message: 'is required together with server.tls_listen' }));
}

/** Attack: with the development settings, everybody who can reach the address can become an operator. */
function faultsOfDevelopment({ server, collector }: Partially<Settings>): ConfigFault[] {
  const addresses = {
    'server.listen': server?.listen,
    'server.tls_listen': server?.tls_listen,
    'collector.listen': collector?.listen,
  };
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

/**
 * The settings that apply without a configuration file, before the environment: an operator who is also an admin. Refused in
 * production, because these names are public.
 */
function developmentSettings(): Tree {
  return {
    auth: {
      operator_users: ['admin@platform.localhost'],
      admin_users: ['admin@platform.localhost'],
    },
  };
}
