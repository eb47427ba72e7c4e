import type { Workbench } from '../commands/command.ts';
import { Catalog } from '../kinds/catalog.ts';
import { pathOf, shortNames } from '../kinds/kind.ts';
import { type TypedKind, typedKindOf, typedKinds } from '../typed/typed-kind.ts';
import { readTyped } from '../typed/typed-target.ts';

/** One word that a shell may offer. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

// More would fill the screen.
const most = 200;

/** Completes the last of the words that name a kind, one of the typed API too when `typed` is set, and its resources. */
export async function targetCandidates(
  bench: Workbench,
  words: readonly string[],
  signal: AbortSignal,
  typed: boolean,
): Promise<Candidate[]> {
  const [current = ''] = words.slice(-1);
  if (words.length === 1 && !current.includes('/')) {
    const kinds = await resourceKinds(bench, signal);
    return [...(typed ? typedCandidates() : []), ...kinds].filter(({ value }) => value.startsWith(current));
  }
  const names = words.join('/').split('/');
  const kind = typed ? typedKindOf(names[0] ?? '') : undefined;
  const level =
    kind === undefined ? await levelOf(bench, names, signal) : typedLevelOf(bench, kind, names, signal);
  const typedName = names.at(-1) ?? '';
  const stem = current.slice(0, current.length - typedName.length);
  const found: Candidate[] = [];
  for await (const name of level?.names() ?? []) {
    if (name.startsWith(typedName)) {
      found.push({ value: `${stem}${name}${level?.isLast ? '' : '/'}`, description: level?.kind ?? '' });
    }
    if (found.length >= most) break;
  }
  return found;
}

/** What stands at the place of the last name. */
interface Level {
  readonly kind: string;
  /** Whether nothing can be below it. */
  readonly isLast: boolean;
  names(): AsyncIterable<string>;
}

async function levelOf(
  bench: Workbench,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Level | undefined> {
  const catalog = await bench.catalog(signal);
  const { kind } = catalog.resolve(names[0] ?? '');
  const ancestors = names.slice(1, -1);
  const level = [...catalog.ancestorsOf(kind), kind][ancestors.length];
  if (level === undefined) return undefined;
  const collection = bench.client.resources(pathOf(level)).in(...ancestors);
  return {
    kind: level.kind,
    isLast: level === kind,
    async *names() {
      for await (const { metadata } of collection.list({ limit: 1000, signal })) yield metadata.name;
    },
  };
}

function typedLevelOf(
  bench: Workbench,
  kind: TypedKind,
  names: readonly string[],
  signal: AbortSignal,
): Level | undefined {
  const [project, ...more] = names.slice(1, -1);
  if (more.length > 0 || (project !== undefined && !kind.inProject)) return undefined;
  const shown = project === undefined && kind.inProject ? (typedKindOf('project') as TypedKind) : kind;
  return {
    kind: shown.kind,
    isLast: shown === kind,
    async *names() {
      const target = { kind: shown, names: project === undefined ? [] : [project] };
      for await (const { item } of readTyped(bench.client, target, signal)) yield item.name;
    },
  };
}

function typedCandidates(): Candidate[] {
  return typedKinds.flatMap(({ kind, plural, short }) => [
    { value: plural, description: kind },
    ...short.map((value) => ({ value, description: plural })),
  ]);
}

async function resourceKinds(bench: Workbench, signal: AbortSignal): Promise<Candidate[]> {
  // Some kinds are there without being asked for.
  const { kinds } = await bench.catalog(signal).catch(() => new Catalog([]));
  const plurals = kinds.map(({ plural, kind, group }) => ({
    value: plural,
    description: `${kind} of ${group}`,
  }));
  const short = Object.entries(shortNames).map(([value, plural]) => ({ value, description: plural }));
  return [...plurals, ...short];
}
