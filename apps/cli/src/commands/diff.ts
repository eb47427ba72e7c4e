import { readDocuments } from '../documents/files.ts';
import { registeredBy } from '../documents/order.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { applyDocuments } from './apply-documents.ts';
import { applyTyped, byModel } from './apply-typed.ts';
import type { Register } from './command-context.ts';
import { diffRevisions } from './diff-revisions.ts';
import { fieldManagerOption, withinOption } from './options.ts';

interface DiffOptions {
  readonly file?: readonly string[];
  readonly recursive?: boolean;
  readonly in?: string;
  readonly serverSide?: boolean;
  readonly fieldManager: string;
  readonly prune?: boolean;
}

/** `diff`: shows what `apply` would change, as the server sees it, or what has changed since a revision. */
export const registerDiff: Register = (program, contextOf) => {
  program
    .command('diff [target...]')
    .description(
      'show what apply would change, or with a resource and a revision (or two) what has changed since',
    )
    .option('-f, --file <path...>', 'YAML or JSON files, or directories of them (- for standard input)')
    .option('-R, --recursive', 'include subdirectories')
    .option('--server-side', 'as apply --server-side would')
    .addOption(fieldManagerOption())
    .option('--prune', 'as apply --prune would')
    .addOption(withinOption())
    .action(async (words: string[], options: DiffOptions, command) => {
      const ctx = contextOf(command);
      if ((options.file === undefined) === (words.length === 0)) {
        throw new Failure(
          'usage',
          'expected either files or a resource with a revision',
          'platform diff -f <file>, or platform diff <kind>/<name> <revision>',
        );
      }
      if (options.file === undefined) return await diffRevisions(ctx, words, options.in);
      const { recursive = false, in: within, serverSide = false, fieldManager, prune = false } = options;
      const { resources, typed } = byModel(
        await readDocuments(options.file, { recursive, terminal: ctx.terminal }),
      );
      const registered = resources.map(registeredBy).filter((kind) => kind !== null);
      const ancestors = within === undefined ? [] : within.split('/');
      const [diff, tried] = [true, new Set<string>()];
      const compare = async () =>
        await applyDocuments(
          ctx,
          resources,
          {
            client: ctx.client,
            catalog: (await ctx.catalog()).with(registered),
            within: ancestors,
            // A field that only a forced apply would take over is a difference, too.
            serverSide: serverSide || prune ? { fieldManager, force: true } : null,
            signal: ctx.signal,
          },
          { atomic: true, dryRun: 'server', prune, diff, tried },
        );
      const changed = resources.length === 0 ? 0 : await compare();
      const how = { within: ancestors, dryRun: true, diff, tried, resendSecrets: false };
      const changedTyped = await applyTyped(ctx, typed, how);
      if (changed + changedTyped > 0) ctx.finish(exitCodes.failed);
    });
};
