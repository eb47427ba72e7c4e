import { type JsonObject, type JsonValue, parseValue, renderValue } from '../model/json-value.ts';
import type { JsonText } from '../model/resource.ts';

/** Where the spec of a kind names the resource that it is about: the members from the root to a reference. */
export type ScopePath = readonly string[];

/** The uid of the scope that a stored spec names, in lower case as everywhere else, or null. */
export function scopeUidIn(spec: JsonText, path: ScopePath): string | null {
  const uid = referenceIn(parseValue(spec), path)?.get('uid');
  if (typeof uid !== 'string') return null;
  const value: unknown = JSON.parse(uid);
  return typeof value === 'string' ? value.toLowerCase() : null;
}

/** The spec with the scope by its new uid and name, when it is one of the resources in the map. */
export function withRenamedScope(
  spec: JsonText,
  path: ScopePath,
  renamed: ReadonlyMap<string, { readonly uid: string; readonly name: string }>,
): JsonText {
  const scope = renamed.get(scopeUidIn(spec, path) ?? '');
  if (scope === undefined) return spec;
  const value = parseValue(spec);
  referenceIn(value, path)?.set('uid', JSON.stringify(scope.uid)).set('name', JSON.stringify(scope.name));
  return renderValue(value);
}

function referenceIn(spec: JsonValue, path: ScopePath): JsonObject | null {
  let value: JsonValue | undefined = spec;
  for (const member of path) value = value instanceof Map ? value.get(member) : undefined;
  return value instanceof Map ? value : null;
}
