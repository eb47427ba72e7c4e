import { type Config, generatedEnvironment, overrideName, overrideValue } from '@platform/config';
import { type Logger, systemClock } from '@platform/kernel';
import { explainDataDir } from './data-dir.ts';
import { provideDatabase } from './database.ts';
import { localAddress, untilReady } from './endpoint.ts';
import { type IdentityProvider, provideIdentities } from './identity-provider.ts';
import { mintOperatorSession } from './operator-session.ts';
import { requireFreePorts } from './ports.ts';
import { requireBuilt, type ServiceProgram, startProgram } from './services.ts';
import { type Supervised, supervise } from './supervise.ts';
import { provideTls } from './tls.ts';
import { formatWelcome } from './welcome.ts';

/** The dependencies of {@link launch}. */
export interface LaunchDeps {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly programs: readonly ServiceProgram[];
  readonly logger: Logger;
  /** Prints a text for the user. */
  readonly say: (text: string) => void;
  /** Whether the output is a terminal, not a file or a pipe. */
  readonly terminal: boolean;
  /** Resolves when all processes must stop. */
  readonly stopRequested: Promise<string>;
}

// Longer than the time that the services give to running requests.
const stopTimeoutMs = 20_000;

/**
 * The log format: with the development settings, text on a terminal unless `log.format` is set. Programs that read the output get JSON.
 */
export function chooseLogFormat(
  { origin, log }: Pick<Config, 'origin' | 'log'>,
  env: NodeJS.ProcessEnv,
  terminal: boolean,
): Config['log']['format'] {
  const isSet = (env[overrideName('log.format')] ?? env[overrideName('log')]) !== undefined;
  return origin.development && terminal && !isSet ? 'text' : log.format;
}

/**
 * Runs the platform until a stop is requested, or until a process cannot be kept running. Resolves when all processes have stopped, the
 * database last, with the reason of a failure.
 */
export async function launch(deps: LaunchDeps): Promise<string | undefined> {
  requireBuilt(deps.programs);
  await requireFreePorts(deps.config);
  try {
    return await runUntilStopped(deps);
  } catch (error) {
    throw explainDataDir(error, deps.config.database.data_dir);
  }
}

async function runUntilStopped(deps: LaunchDeps): Promise<string | undefined> {
  const { config, logger, stopRequested } = deps;
  const waiting = new AbortController();
  let services: readonly Supervised[] = [];
  let identities: IdentityProvider | undefined;
  const database = await provideDatabase(config, logger);
  try {
    identities = await provideIdentities(config);
    const tls = await provideTls(config, deps.env, logger);
    services = startServices(deps, {
      ...tls,
      [overrideName('database.url')]: overrideValue(database.url),
      ...identities?.env,
    });
    const failed = Promise.race([database.failed, ...services.map((service) => service.failed)]);
    const ended = Promise.race([stopRequested.then(() => undefined), failed]);
    await Promise.race([ended, announceReadiness(deps, services, identities, waiting.signal)]);
    return await ended;
  } finally {
    waiting.abort();
    deps.say('Stopping ...\n');
    await Promise.all(services.map((service) => service.stop()));
    await identities?.stop();
    await database.stop();
  }
}

function startServices(
  { config, env, programs, logger }: LaunchDeps,
  found: NodeJS.ProcessEnv,
): Supervised[] {
  const format = { [overrideName('log.format')]: overrideValue(config.log.format) };
  const childEnv = { ...env, ...generatedEnvironment(config), ...format, ...found };
  const deps = { logger, clock: systemClock, stopTimeoutMs };
  return programs.map((program) => supervise(program.name, () => startProgram(program, childEnv), deps));
}

async function announceReadiness(
  { config, logger, say, terminal }: LaunchDeps,
  services: readonly Supervised[],
  identities: IdentityProvider | undefined,
  signal: AbortSignal,
): Promise<void> {
  const slow = (answer: string) => logger.warn('still waiting for the API to be ready', { answer });
  if (!(await untilReady(localAddress(config.server.listen), slow, signal))) return;
  for (const service of services) service.keepRunning();
  // Attack: a token that is printed into a file or a log is read there by others.
  const mayPrint = config.origin.development && terminal;
  const login = identities !== undefined || config.auth.issuer !== undefined;
  say(formatWelcome(config, { login, session: mayPrint ? mintOperatorSession(config) : undefined }));
}
