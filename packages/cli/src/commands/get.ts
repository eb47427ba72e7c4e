import { isPlatformError, type ListOptions } from 'platform-service-client';
import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';
import { type LocatedResource, listResources } from '../kinds/list-resources.ts';
import {
  isItem,
  labelOf,
  readTarget,
  requireItem,
  shapeOf,
  splitWords,
  type Target,
} from '../kinds/target.ts';
import { watchTarget } from '../kinds/watch-target.ts';
import { ageOf, type Output, outputOption } from '../output/format.ts';
import { table } from '../output/table.ts';
import { toYaml } from '../output/yaml.ts';
import { showTyped } from '../typed/show-typed.ts';
import { type TypedKind, typedKindByPrefix, typedKindOf } from '../typed/typed-kind.ts';
import { readTyped, readTypedTarget } from '../typed/typed-target.ts';
import type { CommandContext, Register } from './command-context.ts';
import { withinOption } from './options.ts';

/** `get`: shows one resource or a collection. */
export const registerGet: Register = (program, contextOf) => {
  program
    .command('get <target...>')
    .description(
      'show resources: get <kind>, get <kind>/<name>, get <kind> <ancestor>/<name>, get <kind> uid:<uuid>',
    )
    .addOption(withinOption())
    .addOption(outputOption())
    .option('-l, --selector <labels>', 'only resources with these labels: app=shop,!tier')
    .option('--field-selector <fields>', 'only resources with these fields: metadata.deletionTimestamp!=')
    .option('-w, --watch', 'show what there is, then every change, until Ctrl-C')
    .action(async (words: string[], options: GetOptions, command) => {
      const ctx = contextOf(command);
      const { word } = splitWords(words);
      const typed = typedKindOf(word);
      if (typed !== undefined) return await getTyped(ctx, typed, words, options);
      try {
        await getResources(ctx, words, options);
      } catch (error) {
        const matched = typedKindByPrefix(word);
        if (matched === undefined || !mayBeTyped(error)) throw error;
        await getTyped(ctx, matched, words, options);
      }
    });
};

interface GetOptions {
  readonly in?: string;
  readonly output: Output;
  readonly watch?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
}

// The word may name a typed kind when the caller may not list the resource kinds, or none of them matches.
function mayBeTyped(error: unknown): boolean {
  return isPlatformError(error, 'forbidden') || (error instanceof Failure && error.exit === 'notFound');
}

async function getTyped(
  ctx: CommandContext,
  kind: TypedKind,
  words: readonly string[],
  { in: within, output, watch, selector, fieldSelector }: GetOptions,
): Promise<void> {
  if (selector !== undefined || fieldSelector !== undefined)
    throw new Failure('usage', `${kind.plural} cannot be selected by labels or fields`);
  if (watch === true) throw new Failure('usage', `${kind.plural} cannot be watched`);
  const target = readTypedTarget(kind, splitWords(words).rest, within);
  const all = await collect(readTyped(ctx.client, target, ctx.signal));
  ctx.out(showTyped(all, target, output, ctx.now));
}

async function getResources(
  ctx: CommandContext,
  words: readonly string[],
  { in: within, output, watch, selector: labelSelector, fieldSelector }: GetOptions,
): Promise<void> {
  const target = readTarget(await ctx.catalog(), words, within);
  const isSelected = labelSelector !== undefined || fieldSelector !== undefined;
  if (isSelected && (watch === true || isItem(target)))
    throw new Failure('usage', '--selector and --field-selector are for lists without --watch');
  if (watch === true) return await getAndWatch(ctx, target, output);
  const shown = isItem(target)
    ? [await getOne(ctx, target)]
    : await collect(listCollection(ctx, target, { labelSelector, fieldSelector }));
  ctx.out(show(shown, target, output, ctx.now));
}

/** Lists a collection. A missing parent is reported as such: the user may have meant the name of an item. */
async function* listCollection(
  ctx: CommandContext,
  target: Target,
  selectors: Pick<ListOptions, 'labelSelector' | 'fieldSelector'> = {},
): AsyncGenerator<LocatedResource> {
  try {
    yield* listResources(ctx.client, target, { ...selectors, signal: ctx.signal });
  } catch (error) {
    const { kind, within, names } = target;
    const parent = within[names.length - 1];
    if (parent === undefined || !isPlatformError(error, 'not_found')) throw error;
    throw new Failure(
      'notFound',
      `cannot list ${kind.plural}: ${labelOf(parent.kind, names)} does not exist`,
      `to show one resource: platform get ${shapeOf(kind, within)}`,
    );
  }
}

async function getOne(ctx: CommandContext, target: Target): Promise<LocatedResource> {
  const { collection, key } = requireItem(ctx.client, target);
  return {
    ancestors: target.names.slice(0, -1),
    resource: await collection.get(key, { signal: ctx.signal }),
  };
}

async function collect<T>(found: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of found) all.push(each);
  return all;
}

/** Shows what there is, then each resource that appears or changes, and what disappears. */
async function getAndWatch(ctx: CommandContext, target: Target, output: Output): Promise<void> {
  const { client, signal, terminal } = ctx;
  let initial: LocatedResource[] | null = [];
  for await (const event of watchTarget(client, target, { signal, timers: terminal.timers })) {
    if (event.type === 'BOOKMARK') {
      if (event.initial !== true || initial === null) continue;
      ctx.out(
        show(
          initial,
          isItem(target) && initial.length > 0 ? target : { ...target, uid: undefined },
          output,
          ctx.now,
        ),
      );
      initial = null;
      continue;
    }
    const located = { ancestors: event.object.metadata.ancestors, resource: event.object };
    if (initial !== null && event.cursor === undefined) initial.push(located);
    else ctx.out(showChange(located, event.type === 'DELETED', target, output, ctx.now));
  }
  signal.throwIfAborted();
}

function showChange(
  located: LocatedResource,
  isRemoved: boolean,
  target: Target,
  output: Output,
  now: number,
): string {
  switch (output) {
    case 'json':
      return losslessJson.pretty(documentOf(located));
    case 'yaml':
      return `---\n${toYaml(documentOf(located))}`;
    case 'name':
      return `${nameOf(located, target)}${isRemoved ? ' removed' : ''}\n`;
    default: {
      if (isRemoved) return `${nameOf(located, target)} removed\n`;
      const text = tableOf([located], target, now, output === 'wide');
      return text.slice(text.indexOf('\n') + 1);
    }
  }
}

function show(all: readonly LocatedResource[], target: Target, output: Output, now: number): string {
  switch (output) {
    case 'json':
      return losslessJson.pretty(isItem(target) ? all.map(documentOf)[0] : listOf(all, target));
    case 'yaml':
      return all.map((located) => toYaml(documentOf(located))).join('---\n');
    case 'name':
      return all.map((located) => `${nameOf(located, target)}\n`).join('');
    default:
      return tableOf(all, target, now, output === 'wide');
  }
}

/** The resource in the form that `apply` reads: with `in`, because the envelope does not contain the ancestors. */
export function documentOf({ ancestors, resource }: LocatedResource): object {
  return ancestors.length === 0 ? resource : { in: ancestors.join('/'), ...resource };
}

function listOf(all: readonly LocatedResource[], { kind }: Target): object {
  const items = all.map(documentOf);
  const version = all[0]?.resource.apiVersion ?? kind.group;
  return { apiVersion: version, kind: `${kind.kind}List`, items };
}

function nameOf({ ancestors, resource }: LocatedResource, { kind, uid }: Target): string {
  const { name } = resource.metadata;
  return uid === undefined ? labelOf(kind.kind, [...ancestors, name]) : labelOf(kind.kind, [`uid:${uid}`]);
}

function tableOf(
  all: readonly LocatedResource[],
  { kind, within, uid }: Target,
  now: number,
  wide: boolean,
): string {
  if (all.length === 0) return `No ${kind.plural} found.\n`;
  const ancestorColumns = uid === undefined ? within.map(({ kind: name }) => name.toUpperCase()) : [];
  const headings = [
    ...ancestorColumns,
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
