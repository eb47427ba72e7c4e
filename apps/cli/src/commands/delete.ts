import {
  type Collection,
  type ItemKey,
  isPlatformError,
  type PlatformError,
  type Resource,
  sleep,
} from 'platform-service-client';
import { Failure } from '../failure.ts';
import type { Catalog } from '../kinds/catalog.ts';
import type { Kind } from '../kinds/kind.ts';
import { type ItemTarget, labelOf, labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import { type Identity, type Plan, readPlan, shortLabel } from '../relations/deletion-plan.ts';
import { drawTree } from '../relations/tree.ts';
import type { CommandContext, Register } from './command-context.ts';
import { readWait, withinOption } from './options.ts';
import { deleteTyped, typedItemOf } from './typed-commands.ts';

const pollMs = 500;

interface DeleteOptions {
  readonly in?: string;
  readonly yes?: boolean;
  readonly plan?: string | true;
  readonly wait?: boolean;
  readonly timeout: number;
}

/** `delete`: shows everything that a deletion includes, asks for confirmation, and deletes. */
export const registerDelete: Register = (program, contextOf) => {
  program
    .command('delete <target...>')
    .description('delete a resource, everything below it and everything it owns')
    .addOption(withinOption())
    .option('-y, --yes', 'do not show what is deleted with it, and do not ask')
    .option('--plan [hash]', 'only show what would be deleted; with the hash of a plan, delete exactly that')
    .option('-w, --wait', 'wait until the resource is removed')
    .option('--timeout <time>', 'the longest time to wait: seconds, or 5m, 1h', readWait, 300)
    .addHelpText(
      'after',
      `\nExamples:
  platform delete page acme/home
  platform delete page acme/home --yes --wait
  platform delete organization/acme --plan`,
    )
    .action(async (words, options: DeleteOptions, command) => {
      const ctx = contextOf(command);
      const typed = typedItemOf(words, options.in);
      if (typed === null) await deleteResource(ctx, words, options);
      else await deleteTyped(ctx, typed, options);
    });
};

async function deleteResource(
  ctx: CommandContext,
  words: readonly string[],
  options: DeleteOptions,
): Promise<void> {
  const catalog = await ctx.catalog();
  const target = requireItem(ctx.client, readTarget(catalog, words, options.in));
  const { collection, key, kind } = target;
  const resource = await collection.get(key, { signal: ctx.signal });
  const label = labelOfItem(target, resource);
  if (options.plan === true) {
    await showPlan(ctx, target, resource);
    return;
  }
  // A plan was reviewed already. A confirmed deletion affects what was shown, and nothing else.
  let agreed = options.plan;
  if (!options.yes && agreed === undefined) {
    const shown = await readPlan(ctx.client, collection, resource.metadata.uid, ctx.signal);
    await confirm(ctx, catalog, { resource, label, plan: shown });
    agreed = shown.hash ?? undefined;
  }
  // By UID, so that a new resource of the same name is not deleted instead.
  const { uid } = resource.metadata;
  const asked = { plan: agreed, signal: ctx.signal };
  const deletion = await collection.delete({ uid }, asked).catch((error: unknown) => {
    if (isPlatformError(error, 'plan_changed')) throw planChanged(ctx, error);
    if (!isPlatformError(error, 'definition_in_use')) throw error;
    const { exit, message } = ctx.failureOf(error);
    throw new Failure(exit, message, waysToFree(catalog, resource.metadata.name));
  });
  if (deletion.deleted) ctx.out(`${label} deleted\n`);
  else if (options.wait)
    await waitForRemoval(ctx, { collection, key: { uid }, label, timeoutSeconds: options.timeout });
  else
    ctx.out(
      `${label} is being deleted; to see what blocks it: platform blockers ${kind.plural} uid:${uid}\n`,
    );
}

/** A deletion that the command waits for. */
interface Removal {
  readonly collection: Collection;
  readonly key: ItemKey;
  readonly label: string;
  readonly timeoutSeconds: number;
}

/** Waits until the resource is gone. Ctrl-C ends the wait, and says that the deletion goes on. */
async function waitForRemoval(ctx: CommandContext, removal: Removal): Promise<void> {
  try {
    await waitUntilRemoved(ctx, removal);
  } catch (error) {
    if (!ctx.signal.aborted) throw error;
    const progress = 'platform pending shows its progress';
    throw new Failure('interrupted', `the deletion of ${removal.label} continues`, progress);
  }
}

async function showPlan(ctx: CommandContext, target: ItemTarget, resource: Resource): Promise<void> {
  const plan = await readPlan(ctx.client, target.collection, resource.metadata.uid, ctx.signal);
  const label = labelOfItem(target, resource);
  ctx.out(`${label} would be deleted with ${plan.resources.length} more\n`);
  for (const { effect, ...identity } of plan.resources) ctx.out(`  ${effect}: ${shortLabel(identity)}\n`);
  for (const identity of plan.protected) ctx.out(`  protected: ${shortLabel(identity)}\n`);
  if (plan.truncated || plan.hash === null)
    ctx.err('There are too many for a plan; only the nearest are shown.\n');
  else if (plan.protected.length > 0)
    ctx.out('it is refused while something is protected; to allow it: platform unprotect <target>\n');
  else ctx.out(`to delete exactly this: platform delete ${label} --plan ${plan.hash}\n`);
}

function planChanged(ctx: CommandContext, error: PlatformError): Failure {
  const { exit, message } = ctx.failureOf(error);
  const lines = (['added', 'removed'] as const).flatMap((change) =>
    ((error.members[change] ?? []) as readonly Identity[]).map(
      (identity) => `${change}: ${shortLabel(identity)}`,
    ),
  );
  return new Failure(exit, message, 'pass --plan without a hash to see the new plan', lines);
}

/** A deletion as it is shown before it is confirmed. */
interface ShownDeletion {
  readonly resource: Resource;
  readonly label: string;
  readonly plan: Plan;
}

async function confirm(
  ctx: CommandContext,
  catalog: Catalog,
  { resource, label, plan }: ShownDeletion,
): Promise<void> {
  const count = plan.resources.length;
  if (count > 0) ctx.err(`${drawTree(catalog, resource, plan, ctx.now)}\n`);
  if (plan.truncated) ctx.err('There are too many to be shown; these are the nearest.\n');
  if (!ctx.terminal.canAsk)
    throw new Failure(
      'usage',
      `refusing to delete ${label} without confirmation: stdin is not a terminal`,
      'pass --yes',
    );
  const more = count === 0 ? '' : ` and ${plan.truncated ? 'more than ' : ''}${count} more`;
  const answer = await ctx.terminal.ask(`Delete ${label}${more}? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('failed', 'cancelled; nothing was deleted');
}

/** Polls until the resource is removed, and prints every change of what it waits for. */
async function waitUntilRemoved(
  ctx: CommandContext,
  { collection, key, label, timeoutSeconds }: Removal,
): Promise<void> {
  const { timers, signal } = ctx.terminal;
  const deadline = timers.now() + timeoutSeconds * 1000;
  for (let printed = ''; ; ) {
    const reason = await reasonToWait(collection, key, signal);
    if (reason === null) break;
    if (reason !== printed) ctx.err(`waiting for ${label}: ${reason}\n`);
    printed = reason;
    if (timers.now() >= deadline) {
      throw new Failure(
        'timeout',
        `${label} is still being deleted after ${timeoutSeconds} s: ${reason}`,
        'platform pending lists what is being deleted',
      );
    }
    await sleep(timers, pollMs, signal);
  }
  ctx.out(`${label} deleted\n`);
}

/** Why a resource is not removed yet; null when it is. */
async function reasonToWait(
  collection: Collection,
  key: ItemKey,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const { blockers, truncated } = await collection.blockers(key, { signal });
    if (blockers.length > 0) {
      const [first] = blockers;
      const more =
        blockers.length > 1 ? ` and ${truncated ? 'more than ' : ''}${blockers.length - 1} more` : '';
      return `${labelOf(first?.kind ?? '', [first?.name ?? ''])}${more} must be removed first`;
    }
    const { finalizers } = (await collection.get(key, { signal })).metadata;
    return finalizers.length === 0
      ? 'not collected yet'
      : `finalizers to be removed: ${finalizers.join(', ')}`;
  } catch (error) {
    if (isPlatformError(error, 'not_found')) return null;
    throw error;
  }
}

/** Lists the resources and definitions that must be deleted before a definition. */
function waysToFree(catalog: Catalog, definition: string): string {
  const nameOf = ({ plural, group }: Kind) => `${plural}.${group}`;
  const kind = catalog.kinds.find((one) => nameOf(one) === definition);
  const children = kind === undefined ? [] : catalog.childrenOf(kind).map(nameOf);
  const below =
    children.length === 0 ? '' : `, and the definitions that name it as parent: ${children.join(', ')}`;
  return `first delete its resources (platform get ${definition} lists them)${below}`;
}
