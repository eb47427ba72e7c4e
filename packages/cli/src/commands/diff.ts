import { readDocuments } from '../documents/files.ts';
import { registeredBy } from '../documents/order.ts';
import { exitCodes } from '../exit-codes.ts';
import { applyOnServer } from './apply-on-server.ts';
import type { Register } from './command-context.ts';
import { fieldManagerOption, withinOption } from './options.ts';

interface DiffOptions {
  readonly file: readonly string[];
  readonly recursive?: boolean;
  readonly in?: string;
  readonly serverSide?: boolean;
  readonly fieldManager: string;
  readonly prune?: boolean;
}

/** `diff`: shows what `apply` would change, as the server sees it. */
export const registerDiff: Register = (program, contextOf) => {
  program
    .command('diff')
    .description('show what apply would change; the server checks everything and changes nothing')
    .requiredOption(
      '-f, --file <path...>',
      'YAML or JSON files, or directories of them (- for standard input)',
    )
    .option('-R, --recursive', 'include subdirectories')
    .option('--server-side', 'as apply --server-side would')
    .addOption(fieldManagerOption())
    .option('--prune', 'as apply --prune would')
    .addOption(withinOption())
    .action(async (options: DiffOptions, command) => {
      const ctx = contextOf(command);
      const { recursive = false, in: within, serverSide = false, fieldManager, prune = false } = options;
      const documents = await readDocuments(options.file, { recursive, terminal: ctx.terminal });
      const registered = documents.map(registeredBy).filter((kind) => kind !== null);
      const changed = await applyOnServer(
        ctx,
        documents,
        {
          client: ctx.client,
          catalog: (await ctx.catalog()).with(registered),
          within: within === undefined ? [] : within.split('/'),
          // A field that only a forced apply would take over is a difference, too.
          serverSide: serverSide || prune ? { fieldManager, force: true } : null,
          signal: ctx.signal,
        },
        { atomic: true, dryRun: true, prune, diff: true },
      );
      if (changed > 0) ctx.finish(exitCodes.failed);
    });
};
