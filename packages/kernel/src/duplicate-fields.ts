import { JsonTokens } from './json-tokens.ts';

/** Duplicates that are named, at most. */
const maxNamed = 100;

/** An object or a list that is being read. */
interface Open {
  readonly path: string;
  /** How often each name of an object was there so far; null for a list. */
  readonly names: Map<string, number> | null;
  index: number;
  key: string | null;
}

/**
 * The fields that are in an object of this JSON text more than once, as kubectl shows them: `spec.items[0].color`. The text must be valid,
 * and its nesting bounded.
 */
export function duplicateFields(text: string): readonly string[] {
  const found = new Set<string>();
  const open: Open[] = [];
  const tokens = new JsonTokens(text);
  for (let mark = tokens.next(); mark !== undefined && found.size < maxNamed; mark = tokens.next()) {
    const top = open.at(-1);
    if (mark === '{' || mark === '[')
      open.push({ path: pathOf(top), names: mark === '{' ? new Map() : null, index: 0, key: null });
    else if (mark === '}' || mark === ']') open.pop();
    else if (mark === ',' && top !== undefined) {
      top.index++;
      top.key = null;
    } else if (top?.names && top.key === null && mark.startsWith('"')) {
      top.key = JSON.parse(mark) as string;
      // Attack: a field that is there a hundred thousand times, below a name of half a megabyte. Its path is written once.
      if (countOf(top.key, top.names) === 2) found.add(pathOf(top));
    }
  }
  return [...found];
}

/** The path of what is read next. */
function countOf(name: string, names: Map<string, number>): number {
  const count = (names.get(name) ?? 0) + 1;
  names.set(name, count);
  return count;
}

function pathOf(open: Open | undefined): string {
  if (open === undefined) return '';
  if (open.names === null) return `${open.path}[${open.index}]`;
  return open.path === '' ? `${open.key}` : `${open.path}.${open.key}`;
}
