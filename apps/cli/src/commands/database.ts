import { Option } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import type { DatabaseTools } from '../wire.ts';
import type { CommandContext, Register } from './command-context.ts';
import { readCount, readSeconds } from './options.ts';

/** Which database a command uses, for its help. */
export const databaseHelp = `
This command connects to the database, not to the API. It uses the first of: --database-url (visible to other users of the machine),
database.url of the service configuration (platform.yaml or PLATFORM_CONFIG, PLATFORM__DATABASE__URL), the running embedded database
in database.data_dir.
`;
/** The option that names a database. */
export const databaseUrl = () =>
  new Option('--database-url <url>', 'the database to use instead of the configured one');

interface FsckOptions {
  readonly databaseUrl?: string;
  readonly json?: boolean;
  readonly limit: number;
  readonly graceSeconds: number;
}

const verbs = {
  pause: 'pause the collectors of all replicas until resume',
  resume: 'resume the collectors',
  state: 'show whether the collectors are paused, and which one is the leader',
} as const;

/** `fsck` and `collector`: operate on the database itself. */
export const registerDatabase: Register = (program, contextOf) => {
  program
    .command('fsck')
    .description('check every invariant of the database without writing; exits with 1 when one is violated')
    .addOption(databaseUrl())
    .option('--json', 'print JSON instead of the report')
    .option('--limit <count>', 'list at most this many rows for each invariant', readCount, 100)
    .option(
      '--grace-seconds <seconds>',
      'report tombstones that wait longer for the collector',
      readSeconds,
      300,
    )
    .addHelpText('after', databaseHelp)
    .action(async ({ databaseUrl: url, json, limit, graceSeconds }: FsckOptions, command) => {
      const ctx = contextOf(command);
      const tools = await toolsOf(ctx, url);
      const { findings, report } = await tools.fsck({ limit, graceSeconds });
      ctx.out(json ? `${JSON.stringify({ findings })}\n` : report);
      if (findings.length > 0) ctx.finish(exitCodes.failed);
    });
  const collector = program.command('collector').description('pause and resume the collectors');
  for (const verb of Object.keys(verbs) as (keyof typeof verbs)[]) {
    collector
      .command(verb)
      .description(verbs[verb])
      .addOption(databaseUrl())
      .addHelpText('after', databaseHelp)
      .action(async ({ databaseUrl: url }, command) => {
        const ctx = contextOf(command);
        ctx.out(`${await (await toolsOf(ctx, url)).runPauseCommand(verb)}\n`);
      });
  }
};

/** The tools for the database that the option or the configuration names; refuses options that are for the API. */
export async function toolsOf(
  { session, terminal }: CommandContext,
  url: string | undefined,
): Promise<DatabaseTools> {
  const { options } = session;
  if ((options.url ?? options.context ?? options.tokenFile) !== undefined)
    throw new Failure(
      'usage',
      'this command connects to the database, not to the API',
      'use --database-url instead of --url, --context or --token-file',
    );
  const { openDatabaseTools } = await import('../wire.ts');
  const tools = openDatabaseTools(url, terminal.env);
  const interruptible = <T>(work: Promise<T>) => unlessInterrupted(work, terminal.signal);
  return {
    fsck: (limits) => interruptible(tools.fsck(limits)),
    runPauseCommand: (verb) => interruptible(tools.runPauseCommand(verb)),
    reseal: (mode) => interruptible(tools.reseal(mode)),
    keys: () => interruptible(tools.keys()),
  };
}

/** Settles as `work` does, or rejects at Ctrl-C. The server cancels the statement when the process is gone. */
function unlessInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    // It may have come while the command was loaded.
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
