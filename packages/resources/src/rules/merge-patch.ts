import type { JsonValue } from '../model/json-value.ts';

/**
 * Applies a JSON Merge Patch (RFC 7396, section 2). Neither value is changed; the result may share parts with both, and is the target
 * itself when the patch changes nothing.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!(patch instanceof Map)) return patch;
  const merged = new Map(target instanceof Map ? target : []);
  let isSame = target instanceof Map;
  for (const [key, member] of patch) {
    const before = merged.get(key);
    const after = member === 'null' ? undefined : mergePatch(before, member);
    isSame &&= after === before;
    if (after === undefined) merged.delete(key);
    else merged.set(key, after);
  }
  return isSame ? (target as JsonValue) : merged;
}
