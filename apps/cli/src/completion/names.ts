import type { CommandContext } from '../commands/command-context.ts';
import { type TypedKind, typedKindOf } from '../typed/typed-kind.ts';
import { readTyped } from '../typed/typed-target.ts';
import type { Candidate } from './targets.ts';

/** Candidates for an argument or option called `name`: contexts, projects, or the extensions of a project. */
export async function namesFor(
  name: string,
  ctx: CommandContext,
  [project = '']: readonly string[],
  signal: AbortSignal,
): Promise<Candidate[]> {
  if (name === 'context') {
    const { contexts } = ctx.session.contexts;
    return Object.entries(contexts).map(([value, { url }]) => ({ value, description: url }));
  }
  if (name !== 'project' && (name !== 'extension' || project === '')) return [];
  const kind = typedKindOf(name) as TypedKind;
  const found: Candidate[] = [];
  for await (const { item } of readTyped(
    ctx.client,
    { kind, names: name === 'project' ? [] : [project] },
    signal,
  ))
    found.push({ value: item.name, description: kind.kind });
  return found;
}
