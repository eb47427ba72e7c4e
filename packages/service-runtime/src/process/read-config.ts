import { type Config, ConfigError, loadConfig } from '@platform/config';

/**
 * The configuration of a process that serves. Every fault of it goes to standard error, a line each, and ends the process: there is
 * no log yet that could take it.
 */
export function readConfigOrExit(): Config {
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
