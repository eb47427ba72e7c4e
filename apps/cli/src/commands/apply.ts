import { InvalidArgumentError } from 'commander';
import { type ApplyDeps, type ApplyResult, applyOne } from '../documents/apply-one.ts';
import type { ResourceDocument } from '../documents/document.ts';
import { readDocuments } from '../documents/files.ts';
import { inOrder, registeredBy } from '../documents/order.ts';
import { Failure, printFailure } from '../failure.ts';
import { yamlDiff } from '../output/yaml-diff.ts';
import { applyOnServer } from './apply-on-server.ts';
import { type ApplyTypedOptions, applyTyped, byModel } from './apply-typed.ts';
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
  readonly secretsDir?: string;
  readonly resendSecrets?: boolean;
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
    .option('--server-side', 'let the server merge the fields of several writers')
    .addOption(fieldManagerOption())
    .option('--force-conflicts', 'with --server-side: take over fields that other managers have')
    .option('--atomic', 'apply all documents in one transaction, or none')
    .option(
      '--prune',
      'with --server-side: also delete resources in the same collections that this field manager applied and that no file has any more',
    )
    .option('--no-diff', 'do not show the changes')
    .option(
      '--secrets-dir <directory>',
      'write the secrets of new deployments and extensions to files there; without it they are not stored',
    )
    .option('--resend-secrets', 'send client_secret_encrypted also when nothing else of an extension differs')
    .addHelpText(
      'after',
      `
Examples:
  platform apply -f platform/ -R
  platform apply -f platform/ -R --dry-run=server
  platform apply -f shop.yaml --secrets-dir ~/.secrets/shop
  platform get projects -o yaml > projects.yaml`,
    )
    .action((options: ApplyOptions, command) => apply(contextOf(command), options));
};

function readWhere(text: string): string {
  if (text === 'client' || text === 'server') return text;
  throw new InvalidArgumentError('expected client or server.');
}

async function apply(ctx: CommandContext, options: ApplyOptions): Promise<void> {
  const { file, recursive = false, in: within, diff, serverSide = false, forceConflicts = false } = options;
  const { atomic = false, prune = false } = options;
  const dryRun = options.dryRun !== undefined;
  if (!serverSide && (forceConflicts || prune)) {
    throw new Failure('usage', `${prune ? '--prune' : '--force-conflicts'} needs --server-side`);
  }
  if (dryRun && options.dryRun !== 'server' && (serverSide || atomic)) {
    throw new Failure('usage', '--server-side and --atomic need --dry-run=server');
  }
  const { resources, typed } = byModel(await readDocuments(file, { recursive, terminal: ctx.terminal }));
  if (atomic && typed.length > 0) {
    const [first] = typed;
    throw new Failure(
      'usage',
      `${first?.source}: a ${first?.kind} cannot be applied in one transaction with others`,
      'apply it without --atomic',
    );
  }
  const ancestors = within === undefined ? [] : within.split('/');
  const tried = new Set<string>();
  const onServer = atomic || options.dryRun === 'server';
  if (resources.length > 0)
    await applyResources(ctx, resources, { ...options, ancestors, dryRun, tried, onServer });
  const { secretsDir, resendSecrets = false } = options;
  const how: ApplyTypedOptions = { within: ancestors, dryRun, diff, resendSecrets, secretsDir, tried };
  // Organizations come first; projects cannot be created without theirs.
  if (!ctx.isUnreachable) await applyTyped(ctx, typed, how);
}

async function applyResources(
  ctx: CommandContext,
  documents: readonly ResourceDocument[],
  options: Omit<ApplyOptions, 'dryRun'> & {
    readonly ancestors: readonly string[];
    readonly dryRun: boolean;
    readonly onServer: boolean;
    /** Receives the labels of what a dry run would create. */
    readonly tried: Set<string>;
  },
): Promise<void> {
  const { serverSide = false, forceConflicts = false, fieldManager, diff, dryRun, tried } = options;
  const registered = documents.map(registeredBy).filter((kind) => kind !== null);
  const catalog = (await ctx.catalog()).with(registered);
  const deps: ApplyDeps = {
    client: ctx.client,
    catalog,
    dryRun,
    within: options.ancestors,
    signal: ctx.signal,
  };
  if (serverSide || options.onServer) {
    const { atomic = false, prune = false } = options;
    const manager = serverSide ? { fieldManager, force: forceConflicts } : null;
    await applyOnServer(
      ctx,
      documents,
      { ...deps, serverSide: manager },
      { atomic, dryRun, prune, diff, tried },
    );
    return;
  }
  for (const document of inOrder(documents, catalog)) {
    const failure = await applyAndPrint(ctx, document, deps, { diff, tried });
    if (failure !== null) ctx.fail(failure);
    // Without the platform or a session, every other document would fail in the same way.
    if (ctx.isUnreachable) return;
  }
  if (dryRun)
    ctx.err('Compared only with the stored resources: the server has not validated the documents.\n');
}

async function applyAndPrint(
  ctx: CommandContext,
  document: ResourceDocument,
  deps: ApplyDeps,
  { diff, tried }: { readonly diff: boolean; readonly tried: Set<string> },
): Promise<Failure | null> {
  try {
    const applied = await applyOne(document, deps);
    if (deps.dryRun && applied.outcome === 'created') tried.add(applied.label);
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
