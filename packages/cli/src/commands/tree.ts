import { Failure } from '../failure.ts';
import { readTarget, requireItem } from '../kinds/target.ts';
import { ResourceIndex } from '../relations/resource-index.ts';
import { drawTree } from '../relations/tree.ts';
import type { Register } from './command-context.ts';
import { scanLimitOption, warnIfTruncated, withinOption } from './options.ts';

/** `tree`: draws a resource with its children and dependents. */
export const registerTree: Register = (program, contextOf) => {
  program
    .command('tree <target...>')
    .description(
      'draw a resource with its children and dependents, and show which of them block its deletion',
    )
    .addOption(withinOption())
    .addOption(scanLimitOption())
    .action(async (words, { in: within, scanLimit: limit }, command) => {
      const ctx = contextOf(command);
      const { client, signal } = ctx;
      const catalog = await ctx.catalog();
      const { collection, key } = requireItem(client, readTarget(catalog, words, within));
      const { metadata } = await collection.get(key, { signal });
      const index = await ResourceIndex.read(client, catalog, { limit, signal });
      const root = index.find(metadata.uid);
      if (root === undefined) {
        throw new Failure(
          'failed',
          `${metadata.name} is not among the first ${limit} resources`,
          'raise --scan-limit to search more',
        );
      }
      ctx.out(drawTree(index, root, ctx.now));
      warnIfTruncated(ctx, index);
    });
};
