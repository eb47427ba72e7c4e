import { readTarget, requireItem } from '../kinds/target.ts';
import { readPlan } from '../relations/deletion-plan.ts';
import { drawTree } from '../relations/tree.ts';
import type { Register } from './command-context.ts';
import { withinOption } from './options.ts';
import { treeTyped, typedItemOf } from './typed-commands.ts';

/** `tree`: draws a resource with its children and dependents. */
export const registerTree: Register = (program, contextOf) => {
  program
    .command('tree <target...>')
    .description(
      'draw a resource with its children and dependents, and show which of them block its deletion',
    )
    .addOption(withinOption())
    .addHelpText(
      'after',
      `\nExample:
  platform tree organization/acme`,
    )
    .action(async (words, { in: within }, command) => {
      const ctx = contextOf(command);
      const { client, signal } = ctx;
      const typed = typedItemOf(words, within);
      if (typed !== null) return await treeTyped(ctx, typed);
      const catalog = await ctx.catalog();
      const { collection, key } = requireItem(client, readTarget(catalog, words, within));
      const resource = await collection.get(key, { signal });
      const plan = await readPlan(client, collection, resource.metadata.uid, signal);
      ctx.out(drawTree(catalog, resource, plan, ctx.now));
      if (plan.truncated) ctx.err('There are too many for one tree; only the nearest are shown.\n');
    });
};
