import type { JsonValue } from '../model/json-value.ts';

/** Applies a JSON Merge Patch (RFC 7396, section 2). Neither value is changed; the result may share parts with both. */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!(patch instanceof Map)) return patch;
  const merged = new Map(target instanceof Map ? target : []);
  for (const [key, member] of patch) {
    if (member === 'null') merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), member));
  }
  return merged;
}
