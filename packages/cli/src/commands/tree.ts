import { Failure } from '../failure.ts';
import { readTarget, requireItem } from '../kinds/target.ts';
import { Inventory } from '../relations/inventory.ts';
import { drawTree } from '../relations/tree.ts';
import type { Register } from './command.ts';
import { scanLimit, truncationNote } from './scan.ts';

/** `tree`: a resource with what hangs on it. */
export const registerTree: Register = (program, benchOf) => {
  program
    .command('tree <target...>')
    .description('draw a resource with its children and dependents, and whether they block its deletion')
    .option('-i, --in <names>', 'names of ancestors, the root-most first')
    .addOption(scanLimit())
    .action(async (words, { in: within, scanLimit: limit }, command) => {
      const bench = benchOf(command);
      const { client, signal } = bench;
      const catalog = await bench.catalog();
      const { collection, key } = requireItem(client, readTarget(catalog, words, within));
      const { metadata } = await collection.get(key, { signal });
      const inventory = await Inventory.read(client, catalog, { limit, signal });
      const root = inventory.find(metadata.uid);
      if (root === undefined) {
        throw new Failure(
          'failed',
          `${metadata.name} was not among the resources looked at`,
          '--scan-limit looks at more',
        );
      }
      bench.out(drawTree(inventory, root, bench.now));
      truncationNote(bench, inventory);
    });
};
