import type { DeletionBlockers } from '@platform/client';
import { labelOf, readTarget, requireItem } from '../kinds/target.ts';
import { ageOf } from '../output/age.ts';
import { table } from '../output/table.ts';
import type { Register } from './command.ts';
import { readCount } from './scan.ts';

/** `pending` and `blockers`: what is being deleted, and what holds it. */
export const registerPending: Register = (program, benchOf) => {
  program
    .command('pending')
    .description('list what is being deleted, of all kinds, oldest first')
    .option('-l, --limit <count>', 'at most so many, 1 to 1000', readCount, 100)
    .action(async ({ limit }, command) => {
      const { client, signal, now, terminal } = benchOf(command);
      const items = await client.pendingDeletion({ limit, signal });
      const rows = items.map(({ apiVersion, kind, metadata }) => [
        labelOf(kind, [metadata.name]),
        apiVersion,
        ageOf(metadata.deletionTimestamp ?? '', now),
        metadata.finalizers.join(', ') || '-',
        metadata.uid,
      ]);
      const headings = ['RESOURCE', 'API VERSION', 'DELETING FOR', 'HELD BY', 'UID'];
      terminal.out(rows.length === 0 ? 'Nothing is being deleted.\n' : table(headings, rows));
    });
  program
    .command('blockers <target...>')
    .description('show what keeps a resource from being collected')
    .option('-i, --in <names>', 'names of ancestors, the root-most first')
    .action(async (words, { in: within }, command) => {
      const bench = benchOf(command);
      const { collection, key } = requireItem(bench.client, readTarget(await bench.catalog(), words, within));
      const report = await collection.blockers(key, { signal: bench.signal });
      const { finalizers } = (await collection.get(key, { signal: bench.signal })).metadata;
      if (report.blockers.length > 0) bench.out(blockersTable(report, bench.now));
      const own = finalizers.filter((name) => !name.startsWith('system.platform.dev/'));
      if (own.length > 0) bench.out(`Held by its own finalizers: ${own.join(', ')}\n`);
      if (report.blockers.length === 0 && own.length === 0) bench.out('Nothing holds it.\n');
      if (report.truncated) bench.err('There are more than 1000.\n');
    });
};

/** What blocks, a line each. */
export function blockersTable({ blockers }: DeletionBlockers, now: number): string {
  const rows = blockers.map(({ relationship, kind, name, uid, deletionTimestamp, finalizers }) => [
    labelOf(kind, [name]),
    relationship === 'structuralChild' ? 'child' : 'owned',
    deletionTimestamp === null ? 'live' : `deleting ${ageOf(deletionTimestamp, now)}`,
    finalizers.join(', ') || '-',
    uid,
  ]);
  return table(['BLOCKER', 'HOW', 'STATE', 'HELD BY', 'UID'], rows);
}
