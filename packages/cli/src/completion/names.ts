import type { Workbench } from '../commands/command.ts';
import { type TypedKind, typedKindOf } from '../typed/typed-kind.ts';
import { readTyped } from '../typed/typed-target.ts';
import type { Candidate } from './targets.ts';

/** The names that an argument or option called `what` may have: contexts, projects, or extensions of the project that comes before. */
export async function namesFor(
  what: string,
  bench: Workbench,
  [project = '']: readonly string[],
  signal: AbortSignal,
): Promise<Candidate[]> {
  if (what === 'context') {
    const { contexts } = bench.session.contexts;
    return Object.entries(contexts).map(([value, { url }]) => ({ value, description: url }));
  }
  if (what !== 'project' && (what !== 'extension' || project === '')) return [];
  const kind = typedKindOf(what) as TypedKind;
  const found: Candidate[] = [];
  for await (const { item } of readTyped(
    bench.client,
    { kind, names: what === 'project' ? [] : [project] },
    signal,
  ))
    found.push({ value: item.name, description: kind.kind });
  return found;
}
