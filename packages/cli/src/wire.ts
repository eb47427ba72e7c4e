import { ConfigError, loadDatabase } from '@platform/config';
import { runningUrl } from '@platform/development';
import { runPauseCommand } from '@platform/garbage-collector';
import { fsck, fsckReport, openStore } from '@platform/store-postgres';
import { Failure } from './failure.ts';

/** Operations that operators run on the database itself. */
export interface DatabaseTools {
  /**
   * Checks every invariant in one read-only snapshot. Returns the violating rows, at most `limit` for each invariant, as data and
   * as a report. A tombstone counts as stuck when it is older than `graceSeconds`.
   */
  fsck(options: {
    readonly limit: number;
    readonly graceSeconds: number;
  }): Promise<{ readonly findings: readonly unknown[]; readonly report: string }>;
  /** Pauses or resumes the collectors of all replicas. Returns one line with their state. */
  runPauseCommand(verb: 'pause' | 'resume' | 'state'): Promise<string>;
}

/**
 * Connects to the database at `databaseUrl`, or to the configured one. This is the only file of the package that imports adapters;
 * commands import it lazily, because loading the driver would slow down all the others.
 */
export function openDatabaseTools(databaseUrl: string | undefined, env: NodeJS.ProcessEnv): DatabaseTools {
  const url = resolveUrl(databaseUrl, env);
  return {
    async fsck(options) {
      const findings = await withReason(() => fsck({ url, ...options }));
      return { findings, report: fsckReport(findings) };
    },
    async runPauseCommand(verb) {
      const { collectorPause, close } = openStore({ url, poolMax: 1, applicationName: 'platform-cli' });
      try {
        return await withReason(() => runPauseCommand(collectorPause, verb));
      } finally {
        await close();
      }
    },
  };
}

function resolveUrl(databaseUrl: string | undefined, env: NodeJS.ProcessEnv): string {
  const { url, data_dir: dataDir } = readConfig(databaseUrl, env);
  const found = url ?? runningUrl(dataDir);
  if (found !== undefined) return found;
  throw new Failure(
    'usage',
    `no database is configured, and no embedded database is running in ${dataDir}`,
    'set --database-url, or database.url in the configuration of the service',
  );
}

function readConfig(url: string | undefined, env: NodeJS.ProcessEnv) {
  try {
    return loadDatabase({ url, env });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [first, ...more] = error.message.split('\n');
    throw new Failure('usage', first ?? '', undefined, more);
  }
}

/** Adds the reason of the driver to a database error. The database URL is left out, because it contains a password. */
async function withReason<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message, cause } = error as Error & { readonly cause?: { readonly message?: string } };
    const reason = cause?.message ? `: ${cause.message}` : '';
    throw new Failure('unavailable', `${message.replace(/\.$/, '')}${reason}`);
  }
}
