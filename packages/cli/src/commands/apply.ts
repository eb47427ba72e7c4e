import { InvalidArgumentError } from 'commander';
import { type ApplyDeps, type ApplyResult, applyOne } from '../documents/apply-one.ts';
import type { ResourceDocument } from '../documents/document.ts';
import { readDocuments } from '../documents/files.ts';
import { inOrder, registeredBy } from '../documents/order.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, printFailure } from '../failure.ts';
import { yamlDiff } from '../output/yaml-diff.ts';
import { applyOnServer } from './apply-on-server.ts';
import type { CommandContext, Register } from './command-context.ts';
import { fieldManagerOption, withinOption } from './options.ts';

interface ApplyOptions {
  readonly file: readonly string[];
  readonly recursive?: boolean;
  readonly in?: string;
  readonly dryRun?: true | 'client' | 'server';
  readonly diff: boolean;
  readonly serverSide?: boolean;
  readonly fieldManager: string;
  readonly forceConflicts?: boolean;
  readonly atomic?: boolean;
  readonly prune?: boolean;
}

/** `apply`: creates or changes resources to match files. */
export const registerApply: Register = (program, contextOf) => {
  program
    .command('apply')
    .description('create or change resources to match files, and show the changes')
    .requiredOption(
      '-f, --file <path...>',
      'YAML or JSON files, or directories of them (- for standard input)',
    )
    .option('-R, --recursive', 'include subdirectories')
    .addOption(withinOption())
    .option(
      '-n, --dry-run [where]',
      'write nothing: compare with the stored resources (client, the default), or let the server check everything (server)',
      readWhere,
    )
    .option('--server-side', 'let the server merge, and keep apart what several writers manage')
    .addOption(fieldManagerOption())
    .option('--force-conflicts', 'with --server-side: take over fields that other managers have')
    .option('--atomic', 'apply all documents in one transaction, or none')
    .option(
      '--prune',
      'with --server-side: delete what this field manager applied to the same collections and what no file has any more',
    )
    .option('--no-diff', 'do not show the changes')
    .action((options: ApplyOptions, command) => apply(contextOf(command), options));
};

function readWhere(text: string): string {
  if (text === 'client' || text === 'server') return text;
  throw new InvalidArgumentError('expected client or server.');
}

async function apply(ctx: CommandContext, options: ApplyOptions): Promise<void> {
  const { file, recursive = false, in: within, diff, serverSide = false, forceConflicts = false } = options;
  const { atomic = false, prune = false, fieldManager } = options;
  const dryRun = options.dryRun !== undefined;
  if (!serverSide && (forceConflicts || prune)) {
    throw new Failure('usage', `${prune ? '--prune' : '--force-conflicts'} needs --server-side`);
  }
  if (dryRun && options.dryRun !== 'server' && (serverSide || atomic)) {
    throw new Failure('usage', '--server-side and --atomic need --dry-run=server');
  }
  const documents = await readDocuments(file, { recursive, terminal: ctx.terminal });
  const registered = documents.map(registeredBy).filter((kind) => kind !== null);
  const catalog = (await ctx.catalog()).with(registered);
  const deps: ApplyDeps = {
    client: ctx.client,
    catalog,
    dryRun,
    within: within === undefined ? [] : within.split('/'),
    signal: ctx.signal,
  };
  if (serverSide || atomic || options.dryRun === 'server') {
    const manager = serverSide ? { fieldManager, force: forceConflicts } : null;
    await applyOnServer(ctx, documents, { ...deps, serverSide: manager }, { atomic, dryRun, prune, diff });
    return;
  }
  const failures: Failure[] = [];
  for (const document of inOrder(documents, catalog)) {
    const failure = await applyAndPrint(ctx, document, deps, diff);
    if (failure !== null) failures.push(failure);
    // Without the platform or a session, every other document would fail in the same way.
    if (failure?.exit === 'unavailable' || failure?.exit === 'unauthenticated') break;
  }
  if (dryRun)
    ctx.err('Compared only with the stored resources: the server has not validated the documents.\n');
  if (failures[0] !== undefined) ctx.finish(exitCodes[failures[0].exit]);
}

async function applyAndPrint(
  ctx: CommandContext,
  document: ResourceDocument,
  deps: ApplyDeps,
  diff: boolean,
): Promise<Failure | null> {
  try {
    const applied = await applyOne(document, deps);
    ctx.out(`${applied.label} ${applied.outcome}${deps.dryRun ? ' (dry run)' : ''}\n`);
    if (diff) ctx.out(diffOf(applied, ctx));
    return null;
  } catch (error) {
    ctx.signal.throwIfAborted();
    const failure = ctx.failureOf(error);
    printFailure(ctx.terminal, failure, document.source);
    return failure;
  }
}

function diffOf({ before, after, outcome }: ApplyResult, { colors }: CommandContext): string {
  return outcome === 'configured' && before !== null ? yamlDiff(before, after, colors) : '';
}
