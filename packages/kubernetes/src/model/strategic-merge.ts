import { cloneValue, type JsonObject, type JsonValue, stringOf } from '@platform/resources';

/** Lists that are merged: by a key of their items, or item by item. Every other list is replaced. */
const mergedLists: Readonly<Record<string, string | null>> = { ownerReferences: 'uid', finalizers: null };

const removal = '$deleteFromPrimitiveList/';

/**
 * A strategic merge patch of Kubernetes on an object of one of its own kinds. Members that say the order of lists are ignored: the lists here
 * have none.
 */
export function strategicMerge(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!(patch instanceof Map)) return cloneValue(patch);
  const directive = stringOf(patch.get('$patch'));
  if (directive === 'delete') return new Map();
  const result: JsonObject = target instanceof Map && directive !== 'replace' ? target : new Map();
  for (const [name, value] of patch) {
    if (name.startsWith(removal)) removeItems(result, name.slice(removal.length), value);
    if (name.startsWith('$')) continue;
    if (value === 'null') result.delete(name);
    else if (Array.isArray(value)) result.set(name, mergeList(name, result.get(name), value));
    else result.set(name, strategicMerge(result.get(name), value));
  }
  return result;
}

/** Attack: a patch that adds a hundred thousand items to a list and removes as many others, each of which is compared with every item. */
function removeItems(object: JsonObject, name: string, values: JsonValue): void {
  const list = object.get(name);
  if (!Array.isArray(list) || !Array.isArray(values)) return;
  const removed = new Set(values);
  object.set(
    name,
    list.filter((item) => !removed.has(item)),
  );
}

function mergeList(name: string, stored: JsonValue | undefined, list: readonly JsonValue[]): JsonValue[] {
  const key = Object.hasOwn(mergedLists, name) ? mergedLists[name] : undefined;
  const before = Array.isArray(stored) ? stored : [];
  if (key === undefined) return list.map(cloneValue);
  if (key === null) return [...new Set([...before, ...list])];
  const keyOf = (item: JsonValue) => (item instanceof Map ? item.get(key) : undefined);
  const isDeleted = (item: JsonValue) => item instanceof Map && stringOf(item.get('$patch')) === 'delete';
  const changed = new Map(list.map((item) => [keyOf(item), item]));
  const kept = before.filter((item) => {
    const change = changed.get(keyOf(item));
    return change === undefined || !isDeleted(change);
  });
  const merged = kept.map((item) => {
    const change = changed.get(keyOf(item));
    changed.delete(keyOf(item));
    return change === undefined ? item : strategicMerge(item, change);
  });
  return [...merged, ...[...changed.values()].filter((item) => !isDeleted(item))];
}
