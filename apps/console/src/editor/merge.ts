import { type Document, isAlias, isCollection, isMap, type Node, parseDocument, visit } from 'yaml';
import { keysOf, type Path } from './yaml-path.ts';

/** A place that both changed, differently. */
export interface Conflict {
  readonly path: Path;
  readonly base: unknown;
  readonly mine: unknown;
  readonly live: unknown;
}

export interface Merge {
  /** Mine with every change of live that does not overlap. */
  readonly text: string;
  /** How many changes of live were taken over. */
  readonly taken: number;
  readonly conflicts: readonly Conflict[];
}

const missing = Symbol('missing');

/** Merges what others changed since `base` into `mine`, per member; lists are one value. Nothing of mine is ever replaced. */
export function mergeTexts(base: string, mine: string, live: string): Merge {
  const [baseValue, mineValue, liveValue] = [base, mine, live].map(parsed);
  const document = writable(mine);
  const source = parseDocument(live, { intAsBigInt: true });
  const conflicts: Conflict[] = [];
  let taken = 0;
  for (const { path, before, after } of changesOf(baseValue, liveValue)) {
    const own = valueAt(mineValue, path);
    if (isSame(own, after)) continue;
    // A member that is new below what is no object in mine has no place there.
    const hasPlace = before !== missing || isMembers(valueAt(mineValue, path.slice(0, -1)));
    if (isSame(own, before) && hasPlace) {
      taken += 1;
      const place = keysOf(document, path);
      if (after === missing) document.deleteIn(place);
      else document.setIn(place, source.getIn(keysOf(source, path), true));
    } else {
      conflicts.push({ path, base: shown(before), mine: shown(own), live: shown(after) });
    }
  }
  return { text: taken === 0 ? mine : document.toString({ lineWidth: 0 }), taken, conflicts };
}

/**
 * The conflicts that are still open after another merge: those of before whose places have different values still, and the new ones.
 * `live` is the text that was merged in.
 */
export function openConflicts(before: readonly Conflict[], merge: Merge, live: string): readonly Conflict[] {
  const [mineValue, liveValue] = [merge.text, live].map(parsed);
  const open = before.flatMap((conflict): Conflict[] => {
    const [own, theirs] = [valueAt(mineValue, conflict.path), valueAt(liveValue, conflict.path)];
    return isSame(own, theirs) ? [] : [{ ...conflict, mine: shown(own), live: shown(theirs) }];
  });
  const known = new Set(open.map(({ path }) => valueText(path)));
  return [...open, ...merge.conflicts.filter(({ path }) => !known.has(valueText(path)))];
}

/** Puts the value of live at one place into a text; where mine has no object for it, the value of the place above. */
export function takeLive(text: string, live: string, path: Path): string {
  const document = writable(text);
  if (!isMap(document.contents)) return live;
  const place = keysOf(document, path);
  let length = 1;
  while (length < path.length && isMap(document.getIn(place.slice(0, length), true))) length += 1;
  const source = parseDocument(live, { intAsBigInt: true });
  const node = source.getIn(keysOf(source, path.slice(0, length)), true);
  if (node === undefined) document.deleteIn(place.slice(0, length));
  else document.setIn(place.slice(0, length), node);
  return document.toString({ lineWidth: 0 });
}

function parsed(text: string): unknown {
  return parseDocument(text, { intAsBigInt: true }).toJS();
}

/** A text as a document that can be changed anywhere: what an alias stands for is put in its place. */
function writable(text: string): Document {
  const document = parseDocument(text, { intAsBigInt: true });
  visit(document, {
    Alias: (_key, alias) => copyOf(alias.resolve(document)),
  });
  visit(document, {
    Node: (_key, node) => {
      if (!isAlias(node)) delete node.anchor;
    },
  });
  return document;
}

function copyOf(node: Node | undefined): Node | undefined {
  return node?.clone() as Node | undefined;
}

/** A value as text for a comparison. */
export function valueText(value: unknown): string {
  if (value === undefined) return '(absent)';
  return JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? String(one) : one), 2);
}

interface Change {
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
}

function changesOf(before: unknown, after: unknown, path: Path = []): readonly Change[] {
  if (isSame(before, after)) return [];
  if (!isMembers(before) || !isMembers(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => changesOf(memberOf(before, name), memberOf(after, name), [...path, name]));
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, name) => (isMembers(at) ? memberOf(at, String(name)) : missing), value);
}

function memberOf(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : missing;
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isCollection(value);
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === missing || b === missing) return a === b;
  return valueText(a) === valueText(b) && typeof a === typeof b;
}

function shown(value: unknown): unknown {
  return value === missing ? undefined : value;
}
