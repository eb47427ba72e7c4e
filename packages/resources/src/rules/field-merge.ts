import { escapePointer, type Fault, invalid } from '@platform/kernel';
import { emptySet, type FieldSet } from '../model/field-set.ts';
import { type FieldType, itemsOf, mergeFaults } from '../model/field-type.ts';
import {
  cloneValue,
  equalValues,
  isEmptyCollection,
  type JsonObject,
  type JsonValue,
} from '../model/json-value.ts';

/** Refuses a configuration with lists that cannot be merged. */
export function validateConfiguration(value: JsonValue, type: FieldType): void {
  const faults = listFaults(value, type, '');
  if (faults.length > 0) throw invalid(faults);
}

function listFaults(value: JsonValue, type: FieldType, pointer: string): readonly Fault[] {
  if (Array.isArray(value)) {
    if (type.list === 'atomic') return [];
    const inItems = value.flatMap((item, index) => listFaults(item, type.item(), `${pointer}/${index}`));
    return [...mergeFaults(value, type, pointer), ...inItems];
  }
  if (!(value instanceof Map)) return [];
  return [...value].flatMap(([key, member]) =>
    listFaults(member, type.member(key), `${pointer}/${escapePointer(key)}`),
  );
}

/** The parts of a value that are merged on their own, by their element of FieldsV1; null when the value is merged as a whole. */
function partsOf(value: JsonValue | undefined, type: FieldType): ReadonlyMap<string, JsonValue> | null {
  if (Array.isArray(value)) return itemsOf(value, type);
  if (!(value instanceof Map) || type.map === 'atomic') return null;
  return new Map([...value].map(([key, member]) => [`f:${key}`, member]));
}

function typeOfPart(type: FieldType, element: string): FieldType {
  return element.startsWith('f:') ? type.member(element.slice(2)) : type.item();
}

// Attack: a document with tens of thousands of leaves, each at the end of sixty members. No path is made for a leaf, and all share one set.
const none = emptySet();
const leaf: FieldSet = { owned: true, children: new Map() };

/** The fields that a configuration sets: its leaves, and the items of lists that have an identity. */
export function fieldsOf(value: JsonValue, type: FieldType): FieldSet {
  return { ...fieldsAt(value, type, false), owned: false };
}

/** The fields in a value, without itself. */
function fieldsBelow(value: JsonValue, type: FieldType): FieldSet {
  return { ...fieldsAt(value, type, true), owned: false };
}

/** The fields of a value, itself included. With `containers`, also those that contain others. */
function fieldsAt(value: JsonValue, type: FieldType, containers: boolean, isItem = false): FieldSet {
  const parts = partsOf(value, type);
  if (parts === null || parts.size === 0) return leaf;
  const children = new Map<string, FieldSet>();
  for (const [element, part] of parts)
    children.set(element, fieldsAt(part, typeOfPart(type, element), containers, !element.startsWith('f:')));
  return { owned: isItem || containers, children };
}

/** The configuration merged into a value: it wins where both have a field. The result shares no parts with either. */
export function mergeFields(live: JsonValue | undefined, config: JsonValue, type: FieldType): JsonValue {
  if (live instanceof Map && config instanceof Map && type.map === 'granular') {
    // Attack: a document that is 64 levels deep. Copied at each level, it takes 64 times as long.
    const merged: JsonObject = new Map();
    for (const [key, member] of live) {
      const wanted = config.get(key);
      merged.set(
        key,
        wanted === undefined ? cloneValue(member) : mergeFields(member, wanted, type.member(key)),
      );
    }
    for (const [key, member] of config) if (!live.has(key)) merged.set(key, cloneValue(member));
    return merged;
  }
  if (Array.isArray(live) && Array.isArray(config)) {
    const [before, wanted] = [itemsOf(live, type), itemsOf(config, type)];
    if (before !== null && wanted !== null) return mergeItems(before, wanted, type);
  }
  return cloneValue(config);
}

/**
 * Shared items come in the order of the configuration; each other item of the list stays behind the item that it followed.
 *
 * Attack: an apply that turns a list of a hundred thousand items around. Each item of the list is passed once.
 */
function mergeItems(
  before: ReadonlyMap<string, JsonValue>,
  wanted: ReadonlyMap<string, JsonValue>,
  type: FieldType,
): JsonValue[] {
  const merged: JsonValue[] = [];
  const placed = new Set<string>();
  const order = [...before];
  let at = 0;
  const takeOthers = () => {
    for (; at < order.length; at += 1) {
      const [element, item] = order[at] as [string, JsonValue];
      if (placed.has(element)) continue;
      if (wanted.has(element)) return;
      merged.push(cloneValue(item));
    }
  };
  for (const [element, item] of wanted) {
    takeOthers();
    merged.push(mergeFields(before.get(element), item, type.item()));
    placed.add(element);
  }
  takeOthers();
  return merged;
}

/** The fields in which two values differ. `replaced` are those that are gone because their container became something else. */
export interface FieldChanges {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
  readonly replaced: FieldSet;
}

const unchanged: FieldChanges = { added: none, modified: none, removed: none, replaced: none };
const kindsOfChanges = ['added', 'modified', 'removed', 'replaced'] as const;

/** Compares two values field by field. */
export function compareFields(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  type: FieldType,
): FieldChanges {
  if (equalValues(before, after)) return unchanged;
  if (before === undefined) return { ...unchanged, added: fieldsAt(after as JsonValue, type, true) };
  if (after === undefined) return { ...unchanged, removed: fieldsAt(before, type, true) };
  const sameKind = Array.isArray(before) === Array.isArray(after);
  const [left, right] = [partsOf(before, type), partsOf(after, type)];
  if (!sameKind || left === null || right === null)
    return {
      ...unchanged,
      modified: leaf,
      replaced: left === null ? none : fieldsBelow(before, type),
      added: right === null ? none : fieldsBelow(after, type),
    };
  const changes = { added: emptySet(), modified: emptySet(), removed: emptySet(), replaced: emptySet() };
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const below = compareFields(left.get(element), right.get(element), typeOfPart(type, element));
    for (const kind of kindsOfChanges)
      if (below[kind].owned || below[kind].children.size > 0)
        changes[kind].children.set(element, below[kind]);
  }
  return changes;
}

/**
 * The value without the fields of `last` that are not in `keep`, and without the containers that this empties. Fields that no manager
 * has stay, except the defaults in a container below `spec` of which no manager has a field any more.
 */
export function pruneFields(value: JsonValue, last: FieldSet, keep: FieldSet, type: FieldType): JsonValue {
  return pruneAt(value, { last, keep, hasDefaults: false }, type);
}

function pruneAt(
  value: JsonValue,
  sets: { readonly last: FieldSet; readonly keep: FieldSet; readonly hasDefaults: boolean },
  type: FieldType,
): JsonValue {
  const { last, keep, hasDefaults } = sets;
  const parts = partsOf(value, type);
  if (parts === null) return value;
  const left = new Map(parts);
  for (const [element, lastPart] of last.children) {
    const part = left.get(element);
    if (part === undefined) continue;
    const kept = keep.children.get(element);
    if (goes(element, lastPart, kept, hasDefaults)) {
      left.delete(element);
      continue;
    }
    // Finalizers, in `metadata`, have no manager either, and are no defaults.
    const below = {
      last: lastPart,
      keep: kept ?? emptySet(),
      hasDefaults: hasDefaults || element === 'f:spec',
    };
    const pruned = pruneAt(part, below, typeOfPart(type, element));
    const becameEmpty = isEmptyCollection(pruned) && !isEmptyCollection(part);
    if (becameEmpty && kept?.owned !== true) left.delete(element);
    else left.set(element, pruned);
  }
  if (Array.isArray(value)) return [...left.values()];
  return new Map([...left].map(([element, part]) => [element.slice(2), part]));
}

/** Whether a part of the last fields goes, with all that is in it. */
function goes(element: string, last: FieldSet, kept: FieldSet | undefined, hasDefaults: boolean): boolean {
  if (!last.owned) return hasDefaults && kept === undefined;
  // Without its keys, an item of a list could not be told from others, so it goes with all that others wrote into it.
  const isItem = !element.startsWith('f:');
  return isItem ? kept?.owned !== true : kept === undefined;
}
