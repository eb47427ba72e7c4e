import { type Config, ConfigError, loadConfig } from '@platform/config';
import { EmbeddedPostgresError } from '@platform/development';
import { createLogger } from '@platform/service-runtime';
import { launch } from './launch.ts';
import { LaunchError } from './launch-error.ts';
import { servicePrograms } from './services.ts';
import { stopRequest } from './stop-request.ts';

/** Runs the platform on this machine: database, API and collector. Resolves with the exit code. */
export async function main(): Promise<number> {
  const stopRequested = stopRequest();
  // Whoever read the output may go away before us.
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
  const { logger, close } = createLogger({ ...config.log, service: 'launcher' });
  for (const warning of config.warnings) logger.warn(warning);
  const failure = await launch({
    config,
    env: process.env,
    programs: servicePrograms,
    logger,
    say: (text) => process.stdout.write(text),
    terminal: process.stdout.isTTY === true,
    stopRequested,
  });
  if (failure !== undefined) logger.error('the platform was stopped', { reason: failure });
  await close();
  return failure === undefined ? 0 : 1;
}
