import cluster from 'node:cluster';
import { type Config, ConfigError, generatedEnvironment, loadConfig } from '@platform/config';
import { run } from './process/run.ts';
import { runWorkers } from './process/workers.ts';
import { wire, wireLog } from './wire.ts';

/** The configuration; every fault of it goes to standard error, a line each, and ends the process. */
function readConfig(): Config {
  try {
    const config = loadConfig();
    if (config.database.url === undefined) {
      throw new ConfigError([
        { key: 'database.url', message: 'is required; `pnpm start` brings a database with it' },
      ]);
    }
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

const config = readConfig();
const logging = wireLog(config);
// Whatever was not caught still ends the process; its launcher starts another one. The log tells why.
process.on('uncaughtExceptionMonitor', (error) =>
  logging.logger.error('ended by a fault of its own', { error }),
);
if (cluster.isPrimary) {
  for (const warning of config.warnings) logging.logger.warn(warning);
}
const { workers } = config.server;
const code =
  workers > 1 && cluster.isPrimary
    ? await runWorkers(workers, generatedEnvironment(config), logging.logger)
    : await run(wire(config, logging));
await logging.close();
// The launcher's channel, if there is one, would keep the process alive.
process.exit(code);
