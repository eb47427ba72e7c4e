import { groupByKey } from '@platform/kernel';
import { parseDocument } from './json-document.ts';
import { type JsonObject, type JsonValue, parseValue, renderValue } from './json-value.ts';
import type { JsonText } from './resource.ts';

/**
 * A set of fields as a tree, in the elements of Kubernetes' FieldsV1: `f:<member>`, `k:<keys>` and `v:<value>` for items of lists.
 * `owned` says whether the field itself is in the set; its parents need not be. A set is changed only while it is built: sets that are
 * combined share parts with the result.
 */
export interface FieldSet {
  owned: boolean;
  readonly children: Map<string, FieldSet>;
}

/** The path of a field, in the elements of FieldsV1. */
export type FieldPath = readonly string[];

/** A set without fields. */
export function emptySet(): FieldSet {
  return { owned: false, children: new Map() };
}

/** Adds a field to a set, which it changes. */
export function insertField(set: FieldSet, path: FieldPath): void {
  let node = set;
  for (const element of path) {
    let child = node.children.get(element);
    if (child === undefined) {
      child = emptySet();
      node.children.set(element, child);
    }
    node = child;
  }
  node.owned = true;
}

/** Whether a set has no field. */
export function isEmptySet({ owned, children }: FieldSet): boolean {
  return !owned && [...children.values()].every(isEmptySet);
}

/** The fields of both sets. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map(a.children);
  for (const [element, right] of b.children) {
    const left = children.get(element);
    children.set(element, left === undefined ? right : union(left, right));
  }
  return { owned: a.owned || b.owned, children };
}

/** The fields of all sets, in a time that grows with their fields. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  const [first = emptySet()] = sets;
  if (sets.length <= 1) return first;
  const byElement = groupByKey(sets.flatMap(({ children }) => [...children]));
  const children = [...byElement].map(([element, same]) => [element, unionOf(same)] as const);
  return { owned: sets.some(({ owned }) => owned), children: new Map(children) };
}

// Attack: thousands of managers with one field each, and a write that changes all fields. Both pass the elements of the first set only,
// so that a manager does not take as long as the write.

/** The fields of `a` that are not in `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, left] of a.children) {
    const right = b.children.get(element);
    const child = right === undefined ? left : difference(left, right);
    if (child.owned || child.children.size > 0) children.set(element, child);
  }
  return { owned: a.owned && !b.owned, children };
}

/** The fields that are in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, left] of a.children) {
    const right = b.children.get(element);
    if (right === undefined) continue;
    const child = intersection(left, right);
    if (child.owned || child.children.size > 0) children.set(element, child);
  }
  return { owned: a.owned && b.owned, children };
}

/** Whether two sets have the same fields. */
export function sameFields(a: FieldSet, b: FieldSet): boolean {
  return isEmptySet(difference(a, b)) && isEmptySet(difference(b, a));
}

/** The number of fields. */
export function countFields({ owned, children }: FieldSet): number {
  let count = Number(owned);
  for (const child of children.values()) count += countFields(child);
  return count;
}

/** The paths of the fields, one after the other: there may be tens of thousands, of which few are shown. */
export function* pathsOf({ owned, children }: FieldSet, at: FieldPath = []): Generator<FieldPath> {
  if (owned) yield at;
  for (const [element, child] of children) yield* pathsOf(child, [...at, element]);
}

/** FieldsV1 of a set. */
export function renderFields(set: FieldSet): JsonText {
  return renderValue(fieldsValue(set));
}

function fieldsValue({ owned, children }: FieldSet): JsonObject {
  const value: JsonObject = new Map();
  if (owned && children.size > 0) value.set('.', new Map());
  for (const [element, child] of children) value.set(element, fieldsValue(child));
  return value;
}

/** The set that FieldsV1 describes. */
export function parseFields(text: JsonText): FieldSet {
  return setOf(parseValue(text), false);
}

function setOf(value: JsonValue, isField: boolean): FieldSet {
  const set = emptySet();
  if (!(value instanceof Map)) return set;
  set.owned = (isField && value.size === 0) || value.has('.');
  for (const [element, child] of value) {
    if (element !== '.') set.children.set(element, setOf(child, true));
  }
  return set;
}

/** Whether a value is FieldsV1, in the elements that this service gives fields. */
export function isFieldsV1(value: JsonValue): boolean {
  return (
    value instanceof Map && [...value].every(([element, child]) => isElement(element) && isFieldsV1(child))
  );
}

function isElement(element: string): boolean {
  if (element === '.' || element.startsWith('f:')) return true;
  const kind = element.slice(0, 2);
  if (kind !== 'k:' && kind !== 'v:') return false;
  try {
    const { value } = parseDocument(element.slice(2));
    return kind === 'v:' || (typeof value === 'object' && value !== null && !Array.isArray(value));
  } catch {
    return false;
  }
}

/** A field for people, as Kubernetes writes it: `.spec.containers[name="web"].image`. */
export function showField(path: FieldPath): string {
  return path.map(showElement).join('');
}

function showElement(element: string): string {
  const text = element.slice(2);
  if (element.startsWith('f:')) return `.${text}`;
  if (element.startsWith('v:')) return `[=${text}]`;
  const keys = [...(parseValue(text) as JsonObject)];
  return `[${keys.map(([key, value]) => `${key}=${renderValue(value)}`).join(',')}]`;
}
