import { type Collection, type ItemKey, isPlatformError, type Resource, sleep } from '@platform/client';
import { Failure } from '../failure.ts';
import { labelOf, labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import { Inventory } from '../relations/inventory.ts';
import { drawTree } from '../relations/tree.ts';
import type { Register, Workbench } from './command.ts';
import { readCount, scanLimit, truncationNote } from './scan.ts';

const pollMs = 500;

interface DeleteOptions {
  readonly in?: string;
  readonly yes?: boolean;
  readonly wait?: boolean;
  readonly timeout: number;
  readonly scanLimit: number;
}

/** `delete`: shows what goes with a resource, asks, and deletes. */
export const registerDelete: Register = (program, benchOf) => {
  program
    .command('delete <target...>')
    .description('delete a resource, with everything below it and that it owns')
    .option('-i, --in <names>', 'names of ancestors, the root-most first')
    .option('-y, --yes', 'do not show what goes with it, and do not ask')
    .option('-w, --wait', 'wait until it is gone')
    .option('--timeout <seconds>', 'how long to wait', readCount, 300)
    .addOption(scanLimit())
    .action(async (words, options: DeleteOptions, command) => {
      const bench = benchOf(command);
      const catalog = await bench.catalog();
      const target = requireItem(bench.client, readTarget(catalog, words, options.in));
      const { collection, key, kind } = target;
      const resource = await collection.get(key, { signal: bench.signal });
      const label = labelOfItem(target, resource);
      if (!options.yes) {
        const inventory = await Inventory.read(bench.client, catalog, {
          limit: options.scanLimit,
          signal: bench.signal,
        });
        await confirm(bench, resource, label, inventory);
      }
      // By UID: what was shown is what goes, not another one that has taken its name meanwhile.
      const { uid } = resource.metadata;
      const deletion = await collection.delete({ uid }, { signal: bench.signal });
      if (deletion.deleted) {
        bench.out(`${label} deleted\n`);
      } else if (options.wait) {
        try {
          await waitUntilGone(bench, collection, { uid }, label, options.timeout);
        } catch (error) {
          if (!bench.signal.aborted) throw error;
          throw new Failure('interrupted', `${label} is still being deleted`, 'platform pending');
        }
      } else {
        bench.out(`${label} is being deleted; what holds it: platform blockers ${kind.plural} uid:${uid}\n`);
      }
    });
};

async function confirm(
  bench: Workbench,
  { metadata }: Resource,
  label: string,
  inventory: Inventory,
): Promise<void> {
  const root = inventory.find(metadata.uid);
  const count = inventory.cascadeOf(metadata.uid).length;
  if (root !== undefined && count > 0) bench.err(`${drawTree(inventory, root, bench.now)}\n`);
  truncationNote(bench, inventory);
  if (!bench.terminal.canAsk)
    throw new Failure('usage', `nobody is there to confirm that ${label} is deleted`, '--yes');
  const more = count === 0 ? '' : ` and ${count} more`;
  const answer = await bench.terminal.ask(`Delete ${label}${more}? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('failed', 'nothing was deleted');
}

/** Looks until the resource is gone, and tells when something changes. */
async function waitUntilGone(
  bench: Workbench,
  collection: Collection,
  key: ItemKey,
  label: string,
  timeoutSeconds: number,
): Promise<void> {
  const { timers, signal } = bench.terminal;
  const deadline = timers.now() + timeoutSeconds * 1000;
  for (let told = ''; ; ) {
    const holding = await whatHolds(collection, key, signal);
    if (holding === null) break;
    if (holding !== told) bench.err(`waiting for ${label}: ${holding}\n`);
    told = holding;
    if (timers.now() >= deadline) {
      throw new Failure(
        'timeout',
        `${label} is still being deleted after ${timeoutSeconds} s: ${holding}`,
        'platform pending',
      );
    }
    await sleep(timers, pollMs, signal);
  }
  bench.out(`${label} deleted\n`);
}

/** What holds a resource, for a person; null when it is gone. */
async function whatHolds(collection: Collection, key: ItemKey, signal: AbortSignal): Promise<string | null> {
  try {
    const { blockers, truncated } = await collection.blockers(key, { signal });
    if (blockers.length > 0) {
      const [first] = blockers;
      const more =
        blockers.length > 1 ? ` and ${truncated ? 'more than ' : ''}${blockers.length - 1} more` : '';
      return `${labelOf(first?.kind ?? '', [first?.name ?? ''])}${more} to go first`;
    }
    const { finalizers } = (await collection.get(key, { signal })).metadata;
    return finalizers.length === 0 ? 'to be collected' : `held by ${finalizers.join(', ')}`;
  } catch (error) {
    if (isPlatformError(error, 'not_found')) return null;
    throw error;
  }
}
