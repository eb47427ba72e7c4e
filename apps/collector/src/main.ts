import { type Config, ConfigError, loadConfig } from '@platform/config';
import { runCollector } from './run.ts';
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
const code = await runCollector(wire(config, logging));
await logging.close();
// The launcher's channel, if there is one, would keep the process alive.
process.exit(code);
