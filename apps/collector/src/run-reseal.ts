import type { ResealCounts } from '@platform/key-rotation';
import { type CommandOutput, runCommand } from './command.ts';

/** Seals everything with the first encryption key, or only counts it. */
type Reseal = (options: { readonly dryRun: boolean }) => Promise<readonly ResealCounts[]>;

/**
 * Prints a line of JSON for each kind of sealed value. Resolves with the exit code: 0 done, 1 when a value is not opened by any key,
 * 2 wrong usage or a failure of the database.
 */
export async function runReseal(
  reseal: Reseal,
  args: readonly string[],
  output: CommandOutput,
): Promise<number> {
  const dryRun = args[0] === '--dry-run';
  if (args.length > (dryRun ? 1 : 0)) {
    output.stderr.write('usage: reseal [--dry-run]\n');
    return 2;
  }
  return await runCommand(output, async () => {
    const counts = await reseal({ dryRun });
    for (const each of counts) output.stdout.write(`${JSON.stringify(each)}\n`);
    return counts.some(({ unreadable }) => unreadable > 0) ? 1 : 0;
  });
}
