import { InvalidArgumentError } from 'commander';
import type { ResourceDocument } from '../documents/document.ts';
import { readDocuments } from '../documents/files.ts';
import { registeredBy } from '../documents/order.ts';
import { Failure } from '../failure.ts';
import { applyDocuments } from './apply-documents.ts';
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
  const dryRun = options.dryRun === undefined ? null : options.dryRun === 'server' ? 'server' : 'client';
  if (!serverSide && (forceConflicts || prune)) {
    throw new Failure('usage', `${prune ? '--prune' : '--force-conflicts'} needs --server-side`);
  }
  if (dryRun === 'client' && (serverSide || atomic)) {
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
  if (resources.length > 0) await applyResources(ctx, resources, { ...options, ancestors, dryRun, tried });
  const { secretsDir, resendSecrets = false } = options;
  const how: ApplyTypedOptions = {
    within: ancestors,
    dryRun: dryRun !== null,
    diff,
    resendSecrets,
    secretsDir,
    tried,
  };
  // Organizations come first; projects cannot be created without theirs.
  if (!ctx.isUnreachable) await applyTyped(ctx, typed, how);
}

async function applyResources(
  ctx: CommandContext,
  documents: readonly ResourceDocument[],
  options: Omit<ApplyOptions, 'dryRun'> & {
    readonly ancestors: readonly string[];
    readonly dryRun: 'client' | 'server' | null;
    /** Receives the labels of what a dry run would create. */
    readonly tried: Set<string>;
  },
): Promise<void> {
  const { serverSide = false, forceConflicts: force = false, fieldManager, diff, dryRun, tried } = options;
  const { atomic = false, prune = false, ancestors: within } = options;
  const registered = documents.map(registeredBy).filter((kind) => kind !== null);
  const catalog = (await ctx.catalog()).with(registered);
  const { client, signal } = ctx;
  const manager = serverSide ? { fieldManager, force } : null;
  const deps = { client, catalog, within, serverSide: manager, signal };
  await applyDocuments(ctx, documents, deps, { atomic, dryRun, prune, diff, tried });
  if (dryRun === 'client' && !ctx.isUnreachable)
    ctx.err('Compared only with the stored resources: the server has not validated the documents.\n');
}
