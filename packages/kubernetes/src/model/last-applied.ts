import {
  type JsonObject,
  type JsonText,
  parseDocument,
  parseValue,
  type Resource,
} from '@platform/resources';
import type { KubernetesKind } from './kind.ts';
import { objectOf, storedBody } from './read-object.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The configuration that `kubectl apply` keeps in an annotation, in the form of the resource API: kubectl owns these fields when it goes
 * over to server-side apply. Null when there is none. Throws for a text that is none.
 */
export function lastApplied(stored: Resource, kind: KubernetesKind): JsonText | null {
  if (!stored.metadata.includes(annotation)) return null;
  const annotations = (parseValue(stored.metadata) as JsonObject).get('annotations');
  const quoted = annotations instanceof Map ? annotations.get(annotation) : undefined;
  if (typeof quoted !== 'string') return null;
  const text = JSON.parse(quoted) as string;
  parseDocument(text);
  return storedBody(objectOf(parseValue(text), kind), kind, { name: stored.name });
}
