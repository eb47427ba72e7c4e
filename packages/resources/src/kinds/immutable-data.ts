import type { Fault } from '@platform/kernel';
import { sameJson } from '../model/json-equality.ts';
import { type JsonObject, parseValue, renderValue } from '../model/json-value.ts';
import type { JsonText } from '../model/resource.ts';

/**
 * The faults of a change of a Secret or ConfigMap with `immutable: true`: the named members and `immutable` itself stay, as in
 * Kubernetes. It can only be deleted.
 */
export function immutableFaults(before: JsonText, after: JsonText, members: readonly string[]): Fault[] {
  const stored = parseValue(before) as JsonObject;
  if (stored.get('immutable') !== 'true') return [];
  const wanted = parseValue(after) as JsonObject;
  return ['immutable', ...members]
    .filter((name) => !sameJson(textOf(stored, name), textOf(wanted, name)))
    .map((name) => ({ path: `/spec/${name}`, message: 'cannot change: the resource is immutable' }));
}

function textOf(spec: JsonObject, name: string): JsonText {
  return renderValue(spec.get(name) ?? 'null');
}
