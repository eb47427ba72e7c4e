import type { DeletionBlockers, Resource } from 'platform-service-client';
import type { Catalog } from '../kinds/catalog.ts';
import { labelOf, readTarget, requireItem } from '../kinds/target.ts';
import { ageOf, printable } from '../output/format.ts';
import { table } from '../output/table.ts';
import { toYaml } from '../output/yaml.ts';
import { ResourceIndex } from '../relations/resource-index.ts';
import { relationOf } from '../relations/tree.ts';
import type { CommandContext, Register } from './command-context.ts';
import { scanLimitOption, warnIfTruncated, withinOption } from './options.ts';
import { blockersTable, ownFinalizersLine } from './pending.ts';

/** `describe`: shows everything about one resource. */
export const registerDescribe: Register = (program, contextOf) => {
  program
    .command('describe <target...>')
    .description('show one resource with its owners, dependents and deletion blockers')
    .addOption(withinOption())
    .addOption(scanLimitOption())
    .action(async (words, { in: within, scanLimit: limit }, command) => {
      const ctx = contextOf(command);
      const catalog = await ctx.catalog();
      const { collection, key, names, kind } = requireItem(ctx.client, readTarget(catalog, words, within));
      const { signal, client, now } = ctx;
      const resource = await collection.get(key, { signal });
      const [blockers, index] = await Promise.all([
        collection.blockers(key, { signal }),
        ResourceIndex.read(client, catalog, { limit, signal }),
      ]);
      const path = index.find(resource.metadata.uid)?.names ?? names;
      const label = labelOf(kind.kind, path.length > 0 ? path : [resource.metadata.name]);
      ctx.out(
        [
          factsOf(label, resource, now),
          ownersOf(resource, index, catalog),
          dependentsOf(resource, index, now),
          yamlSection('Spec', resource.spec),
          yamlSection('Status', resource.status.controllers),
          blockersOf(resource, blockers, ctx),
        ].join(''),
      );
      warnIfTruncated(ctx, index);
    });
};

function factsOf(label: string, { apiVersion, metadata }: Resource, now: number): string {
  const { uid, revision, generation, discriminator, creationTimestamp, deletionTimestamp, finalizers } =
    metadata;
  const annotations = Object.entries(metadata.annotations).map(([name, value]) => `${name}=${value}`);
  const since = (time: string) => `${time} (${ageOf(time, now)} ago)`;
  const facts: [string, string][] = [
    ['Name:', label],
    ['API version:', apiVersion],
    ['UID:', uid],
    ['Discriminator:', discriminator],
    ['Revision:', `${revision}, generation ${generation}`],
    ['Created:', since(creationTimestamp)],
    ...(deletionTimestamp === undefined ? [] : [['Deleting:', since(deletionTimestamp)] as [string, string]]),
    ['Finalizers:', finalizers.join(', ') || 'none'],
    ['Annotations:', annotations.join(', ') || 'none'],
  ];
  return facts.map(([name, value]) => `${name.padEnd(15)}${printable(value)}\n`).join('');
}

function ownersOf(
  { metadata: { ownerReferences } }: Resource,
  index: ResourceIndex,
  catalog: Catalog,
): string {
  const rows = ownerReferences.map(({ apiVersion, kind, name, uid, blockOwnerDeletion = false }) => {
    const entry = index.find(uid);
    const missing = catalog.find(apiVersion, kind) === undefined ? 'unknown kind' : 'removed';
    const deleting = entry?.resource.metadata.deletionTimestamp !== undefined ? 'deleting' : 'live';
    return [
      labelOf(kind, entry?.names ?? [name]),
      blockOwnerDeletion ? 'blocks' : 'does not block',
      entry ? deleting : missing,
    ];
  });
  return section('Owners', rows.length === 0 ? '' : table(['OWNER', 'DELETION', 'STATE'], rows));
}

function dependentsOf({ metadata: { uid } }: Resource, index: ResourceIndex, now: number): string {
  const rows = index.below(uid).map((relation) => {
    const { kind, names, resource } = relation.entry;
    return [labelOf(kind.kind, names), relationOf(relation), ageOf(resource.metadata.creationTimestamp, now)];
  });
  return section(
    'Children and dependents',
    rows.length === 0 ? '' : table(['RESOURCE', 'RELATION', 'AGE'], rows),
  );
}

function blockersOf({ metadata }: Resource, report: DeletionBlockers, ctx: CommandContext): string {
  const isDeleting = metadata.deletionTimestamp !== undefined;
  const finalizers = isDeleting ? ownFinalizersLine(metadata.finalizers) : '';
  const blockers = report.blockers.length === 0 ? '' : blockersTable(report, ctx.now);
  return section(
    isDeleting ? 'Blocking deletion' : 'Blocks deletion of this resource',
    blockers + finalizers,
  );
}

function yamlSection(title: string, value: unknown): string {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return section(title, isEmpty ? '' : toYaml(value));
}

function section(title: string, body: string): string {
  if (body === '') return `${`${title}:`.padEnd(14)} none\n`;
  return `${title}:\n${body
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}\n`)
    .join('')}`;
}
