import { type ChangeEvent, isPlatformError, type ListOptions } from 'platform-service-client';
import { Failure } from '../failure.ts';
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
import { rendered } from '../output/custom.ts';
import { type GetOutput, getOutputOption } from '../output/format.ts';
import { jq } from '../output/jq.ts';
import { sortedBy } from '../output/resource-table.ts';
import { showChange, shownValue, showResources } from '../output/show-resources.ts';
import { showTyped, typedValue } from '../typed/show-typed.ts';
import { documentOfItem } from '../typed/typed-document.ts';
import { type TypedKind, typedKindByPrefix, typedKindOf } from '../typed/typed-kind.ts';
import { collectTyped, readTypedTarget } from '../typed/typed-target.ts';
import type { CommandContext, Register } from './command-context.ts';
import { jqOption, withinOption } from './options.ts';

/** `get`: shows one resource or a collection. */
export const registerGet: Register = (program, contextOf) => {
  program
    .command('get <target...>')
    .description(
      'show resources: get <kind>, get <kind>/<name>, get <kind> <ancestor>/<name>, get <kind> uid:<uuid>',
    )
    .addOption(withinOption())
    .addOption(getOutputOption())
    .addOption(jqOption())
    .option('-A, --all-parents', 'the resources of all parents; as when their names are left out')
    .option('--sort-by <jsonpath>', 'order by the value at this path: .metadata.creationTimestamp')
    .option('--no-headers', 'print tables without the line of headings')
    .option('-l, --selector <labels>', 'only resources with these labels: app=shop,!tier')
    .option('--field-selector <fields>', 'only resources with these fields: metadata.deletionTimestamp!=')
    .option('-w, --watch', 'show what there is, then every change, until Ctrl-C')
    .addHelpText(
      'after',
      `
Examples:
  platform get pages -A -l tier=web --sort-by .metadata.creationTimestamp
  platform get page acme/home -o jsonpath='{.spec.title}'
  platform get pages -A -o custom-columns=NAME:.metadata.name,TITLE:.spec.title
  platform get pages acme --jq '.items[] | .spec.title'
  platform get pages acme -o jsonpath='{range .items[*]}{.metadata.name}{"\\n"}{end}'`,
    )
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
  readonly output: GetOutput;
  readonly jq?: string;
  readonly allParents?: boolean;
  readonly sortBy?: string;
  readonly headers: boolean;
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
  { in: within, output, watch, selector, fieldSelector, sortBy, allParents, headers, jq: filter }: GetOptions,
): Promise<void> {
  if (allParents === true && words.length > 1)
    throw new Failure('usage', '--all-parents is for lists without names');
  if (sortBy !== undefined) throw new Failure('usage', `${kind.plural} cannot be sorted`);
  if (selector !== undefined || fieldSelector !== undefined)
    throw new Failure('usage', `${kind.plural} cannot be selected by labels or fields`);
  if (watch === true) throw new Failure('usage', `${kind.plural} cannot be watched`);
  const target = readTypedTarget(kind, splitWords(words).rest, within);
  const all = await collectTyped(ctx.client, target, ctx.signal);
  if (filter !== undefined) return ctx.out(await jq(typedValue(all, target), filter));
  if (typeof output !== 'object') {
    const text = showTyped(all, target, output, ctx.now);
    const isTable = output === 'table' || output === 'wide';
    ctx.out(headers || !isTable ? text : text.slice(text.indexOf('\n') + 1));
    return;
  }
  const items = all.map((located) => documentOfItem(kind, located));
  ctx.out(rendered(output, typedValue(all, target), { items, headers }));
}

async function getResources(
  ctx: CommandContext,
  words: readonly string[],
  options: GetOptions,
): Promise<void> {
  const { in: within, output, watch, selector: labelSelector, fieldSelector, sortBy, jq: filter } = options;
  const catalog = await ctx.catalog();
  const category = words.length === 1 ? catalog.inCategory(words[0] ?? '') : [];
  const targets =
    category.length > 0
      ? category.map((kind) => readTarget(catalog, [`${kind.plural}.${kind.group}`]))
      : [readTarget(catalog, words, within)];
  requireFitting(options, targets);
  const [first] = targets;
  if (watch === true && first !== undefined) return await getAndWatch(ctx, first, options);
  for (const target of targets) {
    const found = isItem(target)
      ? [await getOne(ctx, target)]
      : await collect(listCollection(ctx, target, { labelSelector, fieldSelector }));
    // In a category, kinds without resources would only hide the others.
    if (targets.length > 1 && found.length === 0) continue;
    if (targets.length > 1 && (output === 'table' || output === 'wide')) ctx.out(`${target.kind.plural}:\n`);
    const shown = sortBy === undefined ? found : sortedBy(found, sortBy);
    if (filter !== undefined) ctx.out(await jq(shownValue(shown, target), filter));
    else ctx.out(showResources(shown, target, options, ctx.now));
  }
}

/** Throws for options that cannot be used together, or not for these targets. */
function requireFitting(options: GetOptions, targets: readonly Target[]): void {
  const { output, watch, selector, fieldSelector, sortBy, allParents, jq: filter } = options;
  if (filter !== undefined && (output !== 'table' || watch === true))
    throw new Failure('usage', '--jq cannot be used with --output or --watch');
  const isSelected = selector !== undefined || fieldSelector !== undefined || sortBy !== undefined;
  if (isSelected && targets.some(isItem))
    throw new Failure('usage', '--selector, --field-selector and --sort-by are for lists');
  if (watch === true && sortBy !== undefined)
    throw new Failure('usage', '--sort-by cannot be used with --watch');
  if (allParents === true && targets.some(({ names, uid }) => names.length > 0 || uid !== undefined))
    throw new Failure('usage', '--all-parents is for lists without names');
  if (watch === true && targets.length !== 1)
    throw new Failure('usage', 'one kind can be watched, not a category');
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

/** Prints the existing resources, then each one that appears, changes or disappears. */
async function getAndWatch(ctx: CommandContext, target: Target, options: GetOptions): Promise<void> {
  const { client, signal, terminal } = ctx;
  const { selector: labelSelector, fieldSelector } = options;
  let initial: LocatedResource[] | null = [];
  const onInitial = () => {
    initial = [];
  };
  const selected = { labelSelector, fieldSelector };
  const watching = { signal, timers: terminal.timers, onInitial, ...selected, ...ctx.outageLines };
  for await (const event of watchTarget(client, target, watching)) {
    if (event.type === 'BOOKMARK') {
      if (event.initial !== true || initial === null) continue;
      ctx.out(
        showResources(
          initial,
          isItem(target) && initial.length > 0 ? target : { ...target, uid: undefined },
          options,
          ctx.now,
        ),
      );
      initial = null;
      continue;
    }
    const located = { ancestors: event.object.metadata.ancestors, resource: event.object };
    if (initial !== null && event.cursor === undefined) initial.push(located);
    else {
      const isSelected = labelSelector !== undefined || fieldSelector !== undefined;
      const end = endOf(event, isSelected);
      ctx.out(showChange(located, target, { end, output: options.output, now: ctx.now }));
    }
  }
  signal.throwIfAborted();
}

/** Why a resource left the stream: it was removed, or a change made it leave the selection; null while it is in there. */
function endOf(
  { type, operation, object }: ChangeEvent,
  isSelected: boolean,
): 'removed' | 'no longer matches' | null {
  if (type !== 'DELETED') return null;
  if (!isSelected) return 'removed';
  const isTombstone = object.metadata.deletionTimestamp !== undefined;
  return operation === 'collect' || (operation === 'delete' && !isTombstone)
    ? 'removed'
    : 'no longer matches';
}
