import { type Collection, isPlatformError, type PlatformError } from 'platform-service-client';
import { Failure } from '../failure.ts';
import { type ItemTarget, labelOf, readTarget, requireItem } from '../kinds/target.ts';
import type { CommandContext, Register } from './command-context.ts';
import { withinOption } from './options.ts';

interface Options {
  readonly in?: string;
  readonly name?: string;
  readonly dependents: boolean;
  readonly dryRun?: boolean;
}

/** How many removals are searched for a name. */
const maxSearched = 10_000;

/** `restore`: creates a removed resource again. */
export const registerRestore: Register = (program, contextOf) => {
  program
    .command('restore <target...>')
    .description('create a removed resource again, with everything that was deleted with it')
    .addOption(withinOption())
    .option('--name <name>', 'give it another name')
    .option('--no-dependents', 'restore it alone')
    .option('-n, --dry-run', 'let the server check and answer, and change nothing')
    .action(async (words: string[], { in: within, name, dependents, dryRun = false }: Options, command) => {
      const ctx = contextOf(command);
      const target = requireItem(ctx.client, readTarget(await ctx.catalog(), words, within));
      const uid = target.uid ?? (await findRemoved(ctx, target));
      const options = { name, dependents, dryRun, signal: ctx.signal };
      const restored = await target.collection.restore(uid, options).catch((error: unknown) => {
        throw isPlatformError(error) ? refusal(ctx, error) : error;
      });
      const note = dryRun ? ' (dry run)' : '';
      for (const { resource } of restored) {
        const { ancestors, name: own, uid: made } = resource.metadata;
        ctx.out(`${labelOf(resource.kind, [...ancestors, own])} restored, uid:${made}${note}\n`);
      }
    });
};

/** The uid of the last resource of that name that was removed. */
async function findRemoved(ctx: CommandContext, { collection, kind, names }: ItemTarget): Promise<string> {
  const label = labelOf(kind.kind, names);
  const wanted = names.at(-1);
  let searched = 0;
  for await (const { metadata } of removedFrom(ctx, collection, label)) {
    if (metadata.name === wanted) return metadata.uid;
    searched += 1;
    if (searched >= maxSearched) break;
  }
  throw new Failure(
    'notFound',
    `${label} was not removed, or so long ago that it is forgotten`,
    `platform removed ${[kind.plural, ...names.slice(0, -1)].join('/')} lists what can be restored`,
  );
}

async function* removedFrom({ signal }: CommandContext, collection: Collection, label: string) {
  try {
    yield* collection.removed({ limit: 1000, signal });
  } catch (error) {
    if (!isPlatformError(error, 'not_found')) throw error;
    throw new Failure(
      'notFound',
      `the resources above ${label} do not exist`,
      'restore them first; that also restores it when it was deleted with them',
    );
  }
}

/** Every name that is taken, every relative that is missing, and every fault is a line. */
function refusal(ctx: CommandContext, error: PlatformError): Failure {
  const { exit, message, hint } = ctx.failureOf(error);
  const hints: Readonly<Record<string, string>> = {
    restore_conflict: 'restore what is missing first, or pass --name for a name that is taken',
    restore_expired: 'pass --no-dependents, then restore the dependents that are left one by one',
    restore_too_large: 'pass --no-dependents, then restore the dependents one by one',
  };
  const lines = error.errors.map(({ path, message: fault }) => (path === '' ? fault : `${path}: ${fault}`));
  return new Failure(exit, message, hints[error.code] ?? hint, lines);
}
