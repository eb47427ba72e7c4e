import { Option } from 'commander';
import type { DatabaseTools } from '../database-tools.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import type { Register, Workbench } from './command.ts';
import { readCount, readSeconds } from './scan.ts';

const where = `
It works on the database, not through the API: --database-url (which other users of the machine can see), else database.url as the
service reads it (platform.yaml or PLATFORM_CONFIG, PLATFORM__DATABASE__URL), else the embedded database that runs in database.data_dir.
`;
const databaseUrl = () => new Option('--database-url <url>', 'the database, instead of the configured one');

interface FsckOptions {
  readonly databaseUrl?: string;
  readonly json?: boolean;
  readonly limit: number;
  readonly graceSeconds: number;
}

const verbs = {
  pause: 'keep every collector from beginning another batch, until resume',
  resume: 'let the collectors go on',
  state: 'show whether they are paused, and which one leads',
} as const;

/** `fsck` and `collector`: what operators do with the database itself. */
export const registerDatabase: Register = (program, benchOf) => {
  program
    .command('fsck')
    .description('check every invariant of the database, read-only; ends with 1 when one does not hold')
    .addOption(databaseUrl())
    .option('--json', 'one JSON document instead of the report')
    .option('--limit <count>', 'name at most so many rows of each invariant', readCount, 100)
    .option('--grace-seconds <seconds>', 'how long a tombstone may wait for the collector', readSeconds, 300)
    .addHelpText('after', where)
    .action(async ({ databaseUrl: url, json, limit, graceSeconds }: FsckOptions, command) => {
      const bench = benchOf(command);
      const tools = await toolsOf(bench, url);
      const { findings, report } = await tools.fsck({ limit, graceSeconds });
      bench.out(json ? `${JSON.stringify({ findings })}\n` : report);
      if (findings.length > 0) bench.finish(exitCodes.failed);
    });
  const collector = program.command('collector').description('pause and resume the collectors');
  for (const verb of ['pause', 'resume', 'state'] as const) {
    collector
      .command(verb)
      .description(verbs[verb])
      .addOption(databaseUrl())
      .addHelpText('after', where)
      .action(async ({ databaseUrl: url }, command) => {
        const bench = benchOf(command);
        bench.out(`${await (await toolsOf(bench, url)).runPauseCommand(verb)}\n`);
      });
  }
};

async function toolsOf({ session, terminal }: Workbench, url: string | undefined): Promise<DatabaseTools> {
  const { options } = session;
  if ((options.url ?? options.context ?? options.tokenFile) !== undefined)
    throw new Failure('usage', 'this works on the database, not through the API', '--database-url');
  const { wireDatabase } = await import('../wire.ts');
  return wireDatabase(url, terminal.env);
}
