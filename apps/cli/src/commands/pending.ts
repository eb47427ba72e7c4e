import type { DeletionBlockers } from 'platform-service-client';
import { labelOf, readTarget, requireItem } from '../kinds/target.ts';
import { ageOf } from '../output/format.ts';
import { table } from '../output/table.ts';
import type { Register } from './command-context.ts';
import { readCount, withinOption } from './options.ts';

/** `pending` and `blockers`: show running deletions and what blocks them. */
export const registerPending: Register = (program, contextOf) => {
  program
    .command('pending')
    .description('list the resources of all kinds that are being deleted, oldest first')
    .option('-l, --limit <count>', 'list at most this many, 1 to 1000', readCount, 100)
    .action(async ({ limit }, command) => {
      const { client, signal, now, terminal } = contextOf(command);
      const { value } = await client.pendingDeletionPages({ limit, signal }).next();
      const { items, metadata } = value ?? { items: [], metadata: {} };
      const rows = items.map(({ apiVersion, kind, metadata }) => [
        labelOf(kind, [metadata.name]),
        apiVersion,
        ageOf(metadata.deletionTimestamp ?? '', now),
        metadata.finalizers.join(', ') || '-',
        metadata.uid,
      ]);
      const headings = ['RESOURCE', 'API VERSION', 'DELETING FOR', 'FINALIZERS', 'UID'];
      terminal.out(rows.length === 0 ? 'No resources are being deleted.\n' : table(headings, rows));
      if (metadata.continue !== undefined) terminal.err('More are being deleted; the oldest are shown.\n');
    });
  program
    .command('blockers <target...>')
    .description('show what blocks the removal of a resource')
    .addOption(withinOption())
    .action(async (words, { in: within }, command) => {
      const ctx = contextOf(command);
      const { collection, key } = requireItem(ctx.client, readTarget(await ctx.catalog(), words, within));
      const report = await collection.blockers(key, { signal: ctx.signal });
      const { finalizers } = (await collection.get(key, { signal: ctx.signal })).metadata;
      if (report.blockers.length > 0) ctx.out(blockersTable(report, ctx.now));
      const own = ownFinalizersLine(finalizers);
      ctx.out(own);
      if (report.blockers.length === 0 && own === '') ctx.out('No blockers.\n');
      if (report.truncated) ctx.err('Only the first 1000 blockers are shown.\n');
    });
};

/** The finalizers that others must remove; empty when there are none. The platform removes its own. */
export function ownFinalizersLine(finalizers: readonly string[]): string {
  const own = finalizers.filter((name) => !name.startsWith('system.platform.dev/'));
  return own.length === 0 ? '' : `Its own finalizers: ${own.join(', ')}\n`;
}

/** A table with one line for each blocker. */
export function blockersTable({ blockers }: DeletionBlockers, now: number): string {
  const rows = blockers.map(({ relationship, kind, name, uid, deletionTimestamp, finalizers }) => [
    labelOf(kind, [name]),
    relationship === 'structuralChild' ? 'child' : 'owned',
    deletionTimestamp === null ? 'live' : `deleting ${ageOf(deletionTimestamp, now)}`,
    finalizers.join(', ') || '-',
    uid,
  ]);
  return table(['BLOCKER', 'RELATION', 'STATE', 'FINALIZERS', 'UID'], rows);
}
