import type { PlatformClient } from 'platform-service-client';
import { Failure } from '../failure.ts';
import type { Catalog } from '../kinds/catalog.ts';
import { type ItemTarget, isItem, labelOfItem, readTarget, requireItem, shapeOf } from '../kinds/target.ts';
import type { Register } from './command-context.ts';
import { withinOption } from './options.ts';

const descriptions = {
  add: 'add finalizers, which delay the removal of the resource',
  remove: 'remove finalizers, so that the resource can be removed',
} as const;

/** `finalizers`: adds and removes finalizers of a resource. */
export const registerFinalizers: Register = (program, contextOf) => {
  const finalizers = program.command('finalizers').description('add and remove finalizers');
  for (const verb of ['add', 'remove'] as const) {
    finalizers
      .command(`${verb} <target...>`)
      .usage('[options] <target> <finalizer...>')
      .description(descriptions[verb])
      .addOption(withinOption())
      .action(async (words: string[], { in: within }: { in?: string }, command) => {
        const ctx = contextOf(command);
        const { signal } = ctx;
        const { target, names } = splitFinalizers(ctx.client, await ctx.catalog(), words, within);
        if (verb === 'remove') await requirePresent(target, names, signal);
        const stored = await target.collection.changeFinalizers(target.key, { [verb]: names }, { signal });
        const remaining = stored.metadata.finalizers.join(', ') || 'none';
        ctx.out(`${labelOfItem(target, stored)}: finalizers ${remaining}\n`);
      });
  }
};

/** Splits `site blog a.example/x` or `site/blog a.example/x`: the target ends with the first word that completes it. */
function splitFinalizers(
  client: PlatformClient,
  catalog: Catalog,
  words: readonly string[],
  within: string | undefined,
): { readonly target: ItemTarget; readonly names: readonly string[] } {
  for (let count = 1; ; count += 1) {
    const target = readTarget(catalog, words.slice(0, count), within);
    if (count < words.length && !isItem(target)) continue;
    const item = requireItem(client, target);
    const names = words.slice(count);
    if (names.length > 0) return { target: item, names };
    throw new Failure(
      'usage',
      'missing argument: finalizer',
      `expected ${shapeOf(target.kind, target.within)} <finalizer>, such as ctrl.example/cleanup`,
    );
  }
}

// The server ignores the removal of a missing finalizer, which would hide a misspelled name.
async function requirePresent(
  target: ItemTarget,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const resource = await target.collection.get(target.key, { signal });
  const { finalizers } = resource.metadata;
  const missing = names.filter((name) => !finalizers.includes(name));
  if (missing.length === 0) return;
  throw new Failure(
    'notFound',
    `${labelOfItem(target, resource)} does not have the finalizer ${missing.join(', ')}`,
    `it has: ${finalizers.join(', ') || 'none'}`,
  );
}
