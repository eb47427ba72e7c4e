import { pointerSteps } from '@platform/kernel';
import { type JsonObject, type JsonValue, stringOf } from './json-value.ts';

/** The schema that each schema with a `$ref` refers to, in the same document. */
export type SchemaReferences = ReadonlyMap<JsonObject, JsonValue>;

/** The base URI of a schema without `$id`. The host is reserved and cannot exist (RFC 2606). */
const defaultBase = 'https://schema.invalid/';

/**
 * Resolves the references of a schema document by pointer, anchor and `$id` (JSON Schema Core, section 8.2). The document was accepted
 * for a definition; what still does not resolve is left out.
 */
export function schemaReferences(root: JsonValue): SchemaReferences {
  const resources = new Map<string, JsonValue>([[defaultBase, root]]);
  const anchors = new Map<string, JsonObject>();
  const waiting: { readonly from: JsonObject; readonly uri: string }[] = [];
  const read = (value: JsonValue, enclosing: string): void => {
    if (Array.isArray(value)) for (const item of value) read(item, enclosing);
    if (!(value instanceof Map)) return;
    const id = resolved(stringOf(value.get('$id')), enclosing);
    const base = id === undefined ? enclosing : splitFragment(id).base;
    if (id !== undefined) resources.set(base, value);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = stringOf(value.get(keyword));
      if (name !== undefined) anchors.set(`${base}#${name}`, value);
    }
    const uri = resolved(stringOf(value.get('$ref')), base);
    if (uri !== undefined) waiting.push({ from: value, uri });
    for (const member of value.values()) read(member, base);
  };
  read(root, defaultBase);
  return new Map(
    waiting.flatMap(({ from, uri }): [JsonObject, JsonValue][] => {
      const { base, fragment } = splitFragment(uri);
      const resource = resources.get(base);
      const isPointer = fragment === '' || fragment.startsWith('/');
      const target = isPointer ? valueAt(resource, fragment) : anchors.get(`${base}#${fragment}`);
      return target === undefined ? [] : [[from, target]];
    }),
  );
}

/**
 * Longer URIs are not resolved. Attack: thousands of references below an `$id` of half a megabyte: each of them becomes as long.
 */
const maxUri = 4_096;

function resolved(reference: string | undefined, base: string): string | undefined {
  if (reference === undefined || reference.length > maxUri || !URL.canParse(reference, base))
    return undefined;
  const { href } = new URL(reference, base);
  return href.length > maxUri ? undefined : href;
}

function splitFragment(uri: string): { readonly base: string; readonly fragment: string } {
  const [base = '', fragment = ''] = uri.split('#');
  try {
    return { base, fragment: decodeURIComponent(fragment) };
  } catch {
    return { base, fragment };
  }
}

function valueAt(root: JsonValue | undefined, pointer: string): JsonValue | undefined {
  return pointerSteps(pointer).reduce<JsonValue | undefined>(
    (value, name) =>
      value instanceof Map ? value.get(name) : Array.isArray(value) ? value[Number(name)] : undefined,
    root,
  );
}
