import { type Config, ConfigError, loadConfig } from '@platform/config';
import { EmbeddedPostgresError } from '@platform/development';
import { createLogger } from '@platform/service-runtime';
import { chooseLogFormat, launch } from './launch.ts';
import { LaunchError, servicePrograms } from './services.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the platform on this machine: database, API and collector. Resolves with the exit code. */
export async function main(): Promise<number> {
  const stopRequested = waitForSignal();
  // The reader of the output may exit first, for example a pager.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  try {
    return await run(loadConfig(), stopRequested);
  } catch (error) {
    if (![ConfigError, LaunchError, EmbeddedPostgresError].some((known) => error instanceof known))
      throw error;
    process.stderr.write(`\nThe platform cannot be started:\n\n${(error as Error).message}\n\n`);
    return 1;
  }
}

async function run(config: Config, stopRequested: Promise<string>): Promise<number> {
  const terminal = process.stdout.isTTY === true;
  const log = { ...config.log, format: chooseLogFormat(config, process.env, terminal) };
  const { logger, close } = createLogger({ ...log, service: 'launcher' });
  for (const warning of config.warnings) logger.warn(warning);
  const failure = await launch({
    config: { ...config, log },
    env: process.env,
    programs: servicePrograms,
    logger,
    say: (text) => process.stdout.write(text),
    terminal,
    stopRequested,
  });
  if (failure !== undefined) logger.error('the platform was stopped', { reason: failure });
  await close();
  return failure === undefined ? 0 : 1;
}

/**
 * Resolves with the first signal that stops this process. Ignores later ones, because pnpm forwards a Ctrl-C that the terminal has
 * already delivered, and stopping has a timeout.
 */
function waitForSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of signals) process.on(signal, resolve);
  });
}
