import type { Workbench } from '../commands/command.ts';
import type { Catalog } from '../kinds/catalog.ts';
import { pathOf, shortNames } from '../kinds/kind.ts';

/** One word that a shell may offer. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

// More would fill the screen.
const most = 200;

/** Completes the last of the words that name a kind and its resources. */
export async function targetCandidates(
  bench: Workbench,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Candidate[]> {
  const catalog = await bench.catalog();
  const [current = ''] = words.slice(-1);
  if (words.length === 1 && !current.includes('/')) return kindCandidates(catalog, current);
  const names = words.join('/').split('/');
  const { kind } = catalog.resolve(names[0] ?? '');
  const chain = [...catalog.ancestorsOf(kind), kind];
  const ancestors = names.slice(1, -1);
  const level = chain[ancestors.length];
  if (level === undefined) return [];
  const typed = names.at(-1) ?? '';
  const stem = current.slice(0, current.length - typed.length);
  const isLast = level === kind;
  const found: Candidate[] = [];
  for await (const { metadata } of bench.client
    .resources(pathOf(level))
    .in(...ancestors)
    .list({ limit: 1000, signal })) {
    if (metadata.name.startsWith(typed)) {
      found.push({ value: `${stem}${metadata.name}${isLast ? '' : '/'}`, description: level.kind });
    }
    if (found.length >= most) break;
  }
  return found;
}

function kindCandidates({ kinds }: Catalog, current: string): Candidate[] {
  const plurals = kinds.map(({ plural, kind, group }) => ({
    value: plural,
    description: `${kind} of ${group}`,
  }));
  const short = Object.entries(shortNames).map(([value, plural]) => ({ value, description: plural }));
  return [...plurals, ...short].filter(({ value }) => value.startsWith(current));
}
