import { isPlatformError } from '@platform/client';
import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';
import { isItem, labelOf, readTarget, requireItem, type Target } from '../kinds/target.ts';
import { type Placed, walk } from '../kinds/walk.ts';
import { splitWords } from '../kinds/words.ts';
import { ageOf } from '../output/age.ts';
import { type Output, outputOption } from '../output/output.ts';
import { table } from '../output/table.ts';
import { toYaml } from '../output/yaml.ts';
import { showTyped } from '../typed/show-typed.ts';
import { type TypedKind, typedKindBegunBy, typedKindOf } from '../typed/typed-kind.ts';
import { readTyped, readTypedTarget } from '../typed/typed-target.ts';
import type { Register, Workbench } from './command.ts';

/** `get`: one resource, or those of a collection. */
export const registerGet: Register = (program, benchOf) => {
  program
    .command('get <target...>')
    .description(
      'show resources: get <kind>, get <kind>/<name>, get <kind> <ancestor>/<name>, get <kind> uid:<uuid>',
    )
    .option('-i, --in <names>', 'names of ancestors, the root-most first: blog/news')
    .addOption(outputOption())
    .action(async (words: string[], options: GetOptions, command) => {
      const bench = benchOf(command);
      const { word } = splitWords(words);
      const typed = typedKindOf(word);
      if (typed !== undefined) return await getTyped(bench, typed, words, options);
      try {
        await getResources(bench, words, options);
      } catch (error) {
        const begun = typedKindBegunBy(word);
        if (begun === undefined || !mayBeTyped(error)) throw error;
        await getTyped(bench, begun, words, options);
      }
    });
};

interface GetOptions {
  readonly in?: string;
  readonly output: Output;
}

// Who may not see the kinds of the resource API, or finds none of that name, may mean one of the typed API.
function mayBeTyped(error: unknown): boolean {
  return isPlatformError(error, 'forbidden') || (error instanceof Failure && error.exit === 'notFound');
}

async function getTyped(
  bench: Workbench,
  kind: TypedKind,
  words: readonly string[],
  { in: within, output }: GetOptions,
): Promise<void> {
  const target = readTypedTarget(kind, splitWords(words).rest, within);
  const all = await collect(readTyped(bench.client, target, bench.signal));
  bench.out(showTyped(all, target, output, bench.now));
}

async function getResources(
  bench: Workbench,
  words: readonly string[],
  { in: within, output }: GetOptions,
): Promise<void> {
  const target = readTarget(await bench.catalog(), words, within);
  const shown = isItem(target)
    ? [await getOne(bench, target)]
    : await collect(walk(bench.client, target, { signal: bench.signal }));
  bench.out(show(shown, target, output, bench.now));
}

async function getOne(bench: Workbench, target: Target): Promise<Placed> {
  const { collection, key } = requireItem(bench.client, target);
  return {
    ancestors: target.names.slice(0, -1),
    resource: await collection.get(key, { signal: bench.signal }),
  };
}

async function collect<T>(found: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of found) all.push(each);
  return all;
}

function show(all: readonly Placed[], target: Target, output: Output, now: number): string {
  switch (output) {
    case 'json':
      return losslessJson.pretty(isItem(target) ? all.map(documentOf)[0] : listOf(all, target));
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
  const items = all.map(documentOf);
  const version = all[0]?.resource.apiVersion ?? kind.group;
  return { apiVersion: version, kind: `${kind.kind}List`, items };
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
