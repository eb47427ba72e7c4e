import { Option } from 'commander';
import { losslessJson } from '../json.ts';
import { isItem, labelOf, readTarget, requireItem, type Target } from '../kinds/target.ts';
import { type Placed, walk } from '../kinds/walk.ts';
import { ageOf } from '../output/age.ts';
import { table } from '../output/table.ts';
import { toYaml } from '../output/yaml.ts';
import type { Register, Workbench } from './command.ts';

type Output = 'table' | 'wide' | 'yaml' | 'json' | 'name';

/** `get`: one resource, or those of a collection. */
export const registerGet: Register = (program, benchOf) => {
  program
    .command('get <target...>')
    .description(
      'show resources: get <kind>, get <kind>/<name>, get <kind> <ancestor>/<name>, get <kind> uid:<uuid>',
    )
    .option('-i, --in <names>', 'names of ancestors, the root-most first: blog/news')
    .addOption(
      new Option('-o, --output <format>', 'how to show them')
        .choices(['table', 'wide', 'yaml', 'json', 'name'])
        .default('table'),
    )
    .action(async (words, { in: within, output }, command) => {
      const bench = benchOf(command);
      const target = readTarget(await bench.catalog(), words, within);
      const shown = isItem(target) ? [await getOne(bench, target)] : await getAll(bench, target);
      bench.out(show(shown, target, output, bench.now));
    });
};

async function getOne(bench: Workbench, target: Target): Promise<Placed> {
  const { collection, key } = requireItem(bench.client, target);
  return {
    ancestors: target.names.slice(0, -1),
    resource: await collection.get(key, { signal: bench.signal }),
  };
}

async function getAll({ client, signal }: Workbench, target: Target): Promise<Placed[]> {
  const all: Placed[] = [];
  for await (const placed of walk(client, target, { signal })) all.push(placed);
  return all;
}

function show(all: readonly Placed[], target: Target, output: Output, now: number): string {
  switch (output) {
    case 'json':
      return losslessJson.pretty(isItem(target) ? all[0]?.resource : listOf(all, target));
    case 'yaml':
      return all.map((placed) => toYaml(documentOf(placed))).join('---\n');
    case 'name':
      return all.map((placed) => `${nameOf(placed, target)}\n`).join('');
    default:
      return tableOf(all, target, now, output === 'wide');
  }
}

/** A resource as `apply` takes it: with the names above it, which the envelope does not tell. */
export function documentOf({ ancestors, resource }: Placed): object {
  return ancestors.length === 0 ? resource : { in: ancestors.join('/'), ...resource };
}

function listOf(all: readonly Placed[], { kind }: Target): object {
  const items = all.map(({ resource }) => resource);
  return { apiVersion: items[0]?.apiVersion ?? kind.group, kind: `${kind.kind}List`, items };
}

function nameOf({ ancestors, resource }: Placed, { kind, uid }: Target): string {
  const { name } = resource.metadata;
  return uid === undefined ? labelOf(kind.kind, [...ancestors, name]) : labelOf(kind.kind, [`uid:${uid}`]);
}

function tableOf(all: readonly Placed[], { kind, within, uid }: Target, now: number, wide: boolean): string {
  if (all.length === 0) return `No ${kind.plural} here.\n`;
  const above = uid === undefined ? within.map(({ kind: name }) => name.toUpperCase()) : [];
  const headings = [
    ...above,
    'NAME',
    'STATE',
    'STATUS FROM',
    'REVISION',
    'AGE',
    ...(wide ? ['GENERATION', 'FINALIZERS', 'UID'] : []),
  ];
  const rows = all.map(({ ancestors, resource: { metadata, status } }) => [
    ...ancestors,
    metadata.name,
    metadata.deletionTimestamp === undefined ? 'live' : `deleting ${ageOf(metadata.deletionTimestamp, now)}`,
    Object.keys(status.controllers).join(', ') || '-',
    String(metadata.revision),
    ageOf(metadata.creationTimestamp, now),
    ...(wide ? [String(metadata.generation), metadata.finalizers.join(', ') || '-', metadata.uid] : []),
  ]);
  return table(headings, rows);
}
