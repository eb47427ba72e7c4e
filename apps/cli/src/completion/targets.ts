import type { CommandContext } from '../commands/command-context.ts';
import { Catalog } from '../kinds/catalog.ts';
import { builtInShortNames, oldestKinds, pathOf } from '../kinds/kind.ts';
import { type TypedKind, typedKindOf, typedKinds } from '../typed/typed-kind.ts';
import { readTyped } from '../typed/typed-target.ts';

/** One word that the shell offers. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

// More candidates would fill the screen.
const maxCandidates = 200;
/** The most names that are read: a collection may have had very many removals. */
const maxNames = 10_000;

/** Which targets are offered: resources, with `typed` also typed ones, or those that were `removed`. */
export type TargetNames = 'existing' | 'typed' | 'removed';

/** Completes the last word of a target: a kind or a name of a resource. */
export async function targetCandidates(
  ctx: CommandContext,
  words: readonly string[],
  signal: AbortSignal,
  offered: TargetNames,
): Promise<Candidate[]> {
  const typed = offered === 'typed';
  const [current = ''] = words.slice(-1);
  if (words.length === 1 && !current.includes('/')) {
    const kinds = await resourceKinds(ctx, signal);
    return [...(typed ? typedCandidates() : []), ...kinds].filter(({ value }) => value.startsWith(current));
  }
  const names = words.join('/').split('/');
  const kind = typed ? typedKindOf(names[0] ?? '') : undefined;
  const level =
    kind === undefined ? await levelOf(ctx, names, offered, signal) : typedLevelOf(ctx, kind, names, signal);
  const typedName = names.at(-1) ?? '';
  const prefix = current.slice(0, current.length - typedName.length);
  const found: Candidate[] = [];
  for await (const name of level?.names() ?? []) {
    if (name.startsWith(typedName)) {
      found.push({ value: `${prefix}${name}${level?.isLast ? '' : '/'}`, description: level?.kind ?? '' });
    }
    if (found.length >= maxCandidates) break;
  }
  return found;
}

/** The kind and the existing names at the position of the last word. */
interface Level {
  readonly kind: string;
  /** Whether it is the last name of the target. */
  readonly isLast: boolean;
  names(): AsyncIterable<string>;
}

async function levelOf(
  ctx: CommandContext,
  names: readonly string[],
  offered: TargetNames,
  signal: AbortSignal,
): Promise<Level | undefined> {
  const catalog = await ctx.catalog(signal);
  const { kind } = catalog.resolve(names[0] ?? '');
  const ancestors = names.slice(1, -1);
  const level = [...catalog.ancestorsOf(kind), kind][ancestors.length];
  if (level === undefined) return undefined;
  const collection = ctx.client.resources(pathOf(level)).in(...ancestors);
  const isLast = level === kind;
  // A removed resource can only be restored below an existing one.
  const items = offered === 'removed' && isLast ? 'removed' : 'list';
  return {
    kind: level.kind,
    isLast,
    async *names() {
      // A name may have been removed several times.
      const told = new Set<string>();
      for await (const { metadata } of collection[items]({ limit: 1000, signal })) {
        if (!told.has(metadata.name)) yield metadata.name;
        told.add(metadata.name);
        if (told.size >= maxNames) return;
      }
    },
  };
}

function typedLevelOf(
  ctx: CommandContext,
  kind: TypedKind,
  names: readonly string[],
  signal: AbortSignal,
): Level | undefined {
  const [project, ...more] = names.slice(1, -1);
  if (more.length > 0 || (project !== undefined && !kind.inProject)) return undefined;
  const levelKind = project === undefined && kind.inProject ? (typedKindOf('project') as TypedKind) : kind;
  return {
    kind: levelKind.kind,
    isLast: levelKind === kind,
    async *names() {
      const target = { kind: levelKind, names: project === undefined ? [] : [project] };
      for await (const { item } of readTyped(ctx.client, target, signal)) yield item.name;
    },
  };
}

function typedCandidates(): Candidate[] {
  return typedKinds.flatMap(({ kind, plural, short }) => [
    { value: plural, description: kind },
    ...short.map((value) => ({ value, description: plural })),
  ]);
}

async function resourceKinds(ctx: CommandContext, signal: AbortSignal): Promise<Candidate[]> {
  // Without a connection, the built-in kinds are still offered.
  const { kinds } = await ctx.catalog(signal).catch(() => new Catalog(oldestKinds));
  const plurals = kinds.map(({ plural, kind, group }) => ({
    value: plural,
    description: `${kind} of ${group}`,
  }));
  const short = Object.entries(builtInShortNames).map(([value, plural]) => ({ value, description: plural }));
  return [...plurals, ...short];
}
