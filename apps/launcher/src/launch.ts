import { type Config, generatedEnvironment, overrideName, overrideValue } from '@platform/config';
import { type Logger, systemClock } from '@platform/kernel';
import { provideDatabase } from './database.ts';
import { localAddress, requireFreePort, untilReady } from './endpoint.ts';
import { type IdentityProvider, provideIdentities } from './identity-provider.ts';
import { operatorSession } from './operator-session.ts';
import { requireBuilt, type ServiceProgram, startProgram } from './services.ts';
import { type Supervised, supervise } from './supervise.ts';
import { welcome } from './welcome.ts';

/** What a launch needs. */
export interface Launch {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly programs: readonly ServiceProgram[];
  readonly logger: Logger;
  /** Prints for the person at the terminal. */
  readonly say: (text: string) => void;
  /** Whether that person is there: the output goes to a terminal, and not to a file or a log. */
  readonly terminal: boolean;
  /** Resolves when everything is to stop. */
  readonly stopRequested: Promise<string>;
}

// A little longer than the 15 s that requests in flight are given.
const patienceMs = 20_000;

/**
 * Runs the platform until it is asked to stop, or until a part of it cannot be kept running. Resolves when
 * everything has stopped, the database last, with the reason of a failure.
 */
export async function launch(parts: Launch): Promise<string | undefined> {
  const { config, logger, stopRequested } = parts;
  requireBuilt(parts.programs);
  await requireFreePort(config.server.listen);
  const waiting = new AbortController();
  let services: readonly Supervised[] = [];
  let identities: IdentityProvider | undefined;
  const database = await provideDatabase(config, logger);
  try {
    identities = await provideIdentities(config);
    services = startServices(parts, {
      [overrideName('database.url')]: overrideValue(database.url),
      ...identities?.env,
    });
    const failed = Promise.race([database.failed, ...services.map((service) => service.failed)]);
    const ended = Promise.race([stopRequested.then(() => undefined), failed]);
    await Promise.race([ended, whenReady(parts, services, identities, waiting.signal)]);
    return await ended;
  } finally {
    waiting.abort();
    parts.say('Stopping ...\n');
    await Promise.all(services.map((service) => service.stop()));
    await identities?.stop();
    await database.stop();
  }
}

function startServices({ config, env, programs, logger }: Launch, found: NodeJS.ProcessEnv): Supervised[] {
  const childEnv = { ...env, ...generatedEnvironment(config), ...found };
  const tools = { logger, clock: systemClock, patienceMs };
  return programs.map((program) => supervise(program.name, () => startProgram(program, childEnv), tools));
}

async function whenReady(
  { config, logger, say, terminal }: Launch,
  services: readonly Supervised[],
  identities: IdentityProvider | undefined,
  signal: AbortSignal,
): Promise<void> {
  const slow = (answer: string) => logger.warn('still waiting for the API to be ready', { answer });
  if (!(await untilReady(localAddress(config.server.listen), slow, signal))) return;
  for (const service of services) service.keepRunning();
  // A token is for the person at this machine: a file or a log keeps it, and others read it there.
  const mayPrint = config.origin.development && terminal;
  const login = identities !== undefined || config.auth.issuer !== undefined;
  say(welcome(config, { login, session: mayPrint ? operatorSession(config) : undefined }));
}
