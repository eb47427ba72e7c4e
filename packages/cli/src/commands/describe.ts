import type { DeletionBlockers, Resource } from '@platform/client';
import type { Catalog } from '../kinds/catalog.ts';
import { labelOf, readTarget, requireItem } from '../kinds/target.ts';
import { ageOf } from '../output/age.ts';
import { printable, table } from '../output/table.ts';
import { toYaml } from '../output/yaml.ts';
import { Inventory } from '../relations/inventory.ts';
import { howOf } from '../relations/tree.ts';
import type { Register, Workbench } from './command.ts';
import { blockersTable } from './pending.ts';
import { scanLimit, truncationNote } from './scan.ts';

/** `describe`: everything about one resource. */
export const registerDescribe: Register = (program, benchOf) => {
  program
    .command('describe <target...>')
    .description('show everything about one resource: its owners, what hangs on it, and what holds it')
    .option('-i, --in <names>', 'names of ancestors, the root-most first')
    .addOption(scanLimit())
    .action(async (words, { in: within, scanLimit: limit }, command) => {
      const bench = benchOf(command);
      const catalog = await bench.catalog();
      const { collection, key, names, kind } = requireItem(bench.client, readTarget(catalog, words, within));
      const { signal, client, now } = bench;
      const resource = await collection.get(key, { signal });
      const [blockers, inventory] = await Promise.all([
        collection.blockers(key, { signal }),
        Inventory.read(client, catalog, { limit, signal }),
      ]);
      const place = inventory.find(resource.metadata.uid)?.names ?? names;
      const label = labelOf(kind.kind, place.length > 0 ? place : [resource.metadata.name]);
      bench.out(
        [
          factsOf(label, resource, now),
          ownersOf(resource, inventory, catalog),
          hangingOf(resource, inventory, now),
          yamlSection('Spec', resource.spec),
          yamlSection('Status', resource.status.controllers),
          blockersOf(resource, blockers, bench),
        ].join(''),
      );
      truncationNote(bench, inventory);
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
  inventory: Inventory,
  catalog: Catalog,
): string {
  const rows = ownerReferences.map(({ apiVersion, kind, name, uid, blockOwnerDeletion = false }) => {
    const entry = inventory.find(uid);
    const known = catalog.find(apiVersion, kind) === undefined ? 'of an unknown kind' : 'gone';
    const deleting = entry?.resource.metadata.deletionTimestamp !== undefined ? 'deleting' : 'live';
    return [
      labelOf(kind, entry?.names ?? [name]),
      blockOwnerDeletion ? 'blocks it' : 'does not block it',
      entry ? deleting : known,
    ];
  });
  return section('Owners', rows.length === 0 ? '' : table(['OWNER', 'THIS ONE', 'STATE'], rows));
}

function hangingOf({ metadata: { uid } }: Resource, inventory: Inventory, now: number): string {
  const rows = inventory.below(uid).map((relation) => {
    const { kind, names, resource } = relation.entry;
    return [labelOf(kind.kind, names), howOf(relation), ageOf(resource.metadata.creationTimestamp, now)];
  });
  return section('Children and dependents', rows.length === 0 ? '' : table(['RESOURCE', 'HOW', 'AGE'], rows));
}

function blockersOf({ metadata }: Resource, report: DeletionBlockers, bench: Workbench): string {
  const title = metadata.deletionTimestamp === undefined ? 'Would hold its deletion' : 'Holds its deletion';
  return section(title, report.blockers.length === 0 ? '' : blockersTable(report, bench.now));
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
