import { type Document, isMap, isScalar, isSeq } from 'yaml';

/** Names of members and places in lists, from the outermost one on. */
export type Path = readonly (string | number)[];

/**
 * The place as `getIn`, `setIn` and `deleteIn` find it in this document. In values every name is a text; the key in the YAML may be a
 * number, a truth value or null, which is no other name.
 */
export function keysOf(document: Document, path: Path): readonly unknown[] {
  let node: unknown = document.contents;
  return path.map((name) => {
    if (isSeq(node)) {
      node = node.get(Number(name), true);
      return Number(name);
    }
    const pair = isMap(node) ? node.items.find(({ key }) => nameOf(key) === String(name)) : undefined;
    node = pair?.value;
    return pair === undefined ? name : pair.key;
  });
}

/** The name of a key in the values of its document. */
function nameOf(key: unknown): string {
  if (!isScalar(key)) return String(key);
  return key.value === null ? '' : String(key.value);
}
