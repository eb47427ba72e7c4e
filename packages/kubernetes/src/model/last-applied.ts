import {
  type JsonObject,
  type JsonText,
  type JsonValue,
  parseDocument,
  parseValue,
  type Resource,
} from '@platform/resources';
import { appliedAnnotation, mapValues, noValue } from './applied-secret.ts';
import type { KubernetesKind } from './kind.ts';
import { storedBody, toSentObject } from './read-object.ts';

/**
 * The configuration that `kubectl apply` keeps in an annotation, in the form of the resource API: kubectl owns these fields when it goes
 * over to server-side apply. Null when there is none. Throws for a text that is none.
 */
export function lastApplied(stored: Resource, kind: KubernetesKind): JsonText | null {
  if (!stored.metadata.includes(appliedAnnotation)) return null;
  const annotations = (parseValue(stored.metadata) as JsonObject).get('annotations');
  const quoted = annotations instanceof Map ? annotations.get(appliedAnnotation) : undefined;
  if (typeof quoted !== 'string') return null;
  const text = JSON.parse(quoted) as string;
  parseDocument(text);
  const applied = parseValue(text);
  // Attack: a configuration with tens of thousands of keys. The spec is read once for all of them.
  const spec = parseValue(stored.spec) as JsonObject;
  mapValues(applied, kind, (member, key) => valueIn(spec, member, key));
  return storedBody(toSentObject(applied, kind), kind, { name: stored.name });
}

/** A secret value of a stored object in clear; empty when it has none. */
function valueIn(spec: JsonObject, member: string, key: string): JsonValue {
  const values = member === 'spec' ? spec : spec.get(member);
  return (values instanceof Map ? values.get(key) : undefined) ?? noValue;
}
