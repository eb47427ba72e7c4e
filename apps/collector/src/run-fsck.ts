import { parseArgs } from 'node:util';
import { type CommandOutput, runCommand } from './command.ts';

/** The options of the command. */
export interface FsckArguments {
  readonly json: boolean;
  readonly limit: number;
  readonly graceSeconds: number;
}

/** Checks the database: the findings, as data and as a report for a person. */
export type Fsck = (
  options: Pick<FsckArguments, 'limit' | 'graceSeconds'>,
) => Promise<{ readonly findings: readonly unknown[]; readonly report: string }>;

const usage = 'usage: fsck [--json] [--limit <rows of each invariant>] [--grace-seconds <age>]';

/** The arguments of the command, or what is wrong with them. */
export function readArguments(args: readonly string[]): FsckArguments | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        limit: { type: 'string', default: '100' },
        'grace-seconds': { type: 'string', default: '300' },
      },
    });
    const [limit, graceSeconds] = [Number(values.limit), Number(values['grace-seconds'])];
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > 100_000)
      return `--limit is 1 to 100000; ${usage}`;
    if (!(graceSeconds >= 0 && graceSeconds < 1e9)) return `--grace-seconds is a number of seconds; ${usage}`;
    return { json: values.json, limit, graceSeconds };
  } catch (error) {
    return `${(error as Error).message}; ${usage}`;
  }
}

/**
 * Checks the database and prints the result. Resolves with the exit code: 0 all invariants hold, 1 some do not, 2 the database could not
 * be checked.
 */
export async function runFsck(
  fsck: Fsck,
  { json, limit, graceSeconds }: FsckArguments,
  output: CommandOutput,
): Promise<number> {
  const work = async () => {
    const { findings, report } = await fsck({ limit, graceSeconds });
    output.stdout.write(json ? `${JSON.stringify({ findings })}\n` : report);
    return findings.length === 0 ? 0 : 1;
  };
  return await runCommand(output, work, 'the database could not be checked: ');
}
