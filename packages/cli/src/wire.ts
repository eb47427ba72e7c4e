import { ConfigError, loadDatabase } from '@platform/config';
import { runningUrl } from '@platform/development';
import { runPauseCommand } from '@platform/garbage-collector';
import { fsck, fsckReport, openStore } from '@platform/store-postgres';
import type { DatabaseTools } from './database-tools.ts';
import { Failure } from './failure.ts';

/**
 * The tools of the database that `url` names, or without it the configuration; the only file of this package that imports adapters.
 * Loaded by the commands that need it, because the others are quicker without a driver.
 */
export function wireDatabase(given: string | undefined, env: NodeJS.ProcessEnv): DatabaseTools {
  const url = addressOf(given, env);
  return {
    async fsck(options) {
      const findings = await reached(() => fsck({ url, ...options }));
      return { findings, report: fsckReport(findings) };
    },
    async runPauseCommand(verb) {
      const { collectorPause, close } = openStore({ url, poolMax: 1, applicationName: 'platform-cli' });
      try {
        return await reached(() => runPauseCommand(collectorPause, verb));
      } finally {
        await close();
      }
    },
  };
}

function addressOf(given: string | undefined, env: NodeJS.ProcessEnv): string {
  const { url, data_dir: dataDir } = read(given, env);
  const found = url ?? runningUrl(dataDir);
  if (found !== undefined) return found;
  throw new Failure(
    'usage',
    `no database is configured, and none runs in ${dataDir}`,
    '--database-url, or database.url as the service reads it',
  );
}

function read(url: string | undefined, env: NodeJS.ProcessEnv) {
  try {
    return loadDatabase({ url, env });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [first, ...more] = error.message.split('\n');
    throw new Failure('usage', first ?? '', undefined, more);
  }
}

/** What went wrong, with the driver's reason; never with the address, which holds a password. */
async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message, cause } = error as Error & { readonly cause?: { readonly message?: string } };
    const reason = cause?.message ? `: ${cause.message}` : '';
    throw new Failure('unavailable', `${message.replace(/\.$/, '')}${reason}`);
  }
}
