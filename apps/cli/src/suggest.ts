import { distance } from 'fastest-levenshtein';

/**
 * The candidates that a misspelled word probably stands for, as ` (did you mean get?)`; empty when there is none. A suggestion has
 * the same first letter and few changed letters, because an unrelated word would only confuse.
 */
export function suggestionFor(word: string, candidates: Iterable<string>): string {
  const name = word.toLowerCase();
  const longest = Math.max(1, Math.floor(name.length / 3));
  const near = [...new Set(candidates)]
    .filter((candidate) => candidate[0] === name[0])
    .map((candidate) => ({ candidate, changes: distance(name, candidate) }))
    .filter(({ changes }) => changes <= longest)
    .sort((one, other) => one.changes - other.changes);
  const best = near.filter(({ changes }) => changes === near[0]?.changes);
  if (best.length === 0) return '';
  return ` (did you mean ${best.map(({ candidate }) => candidate).join(' or ')}?)`;
}
