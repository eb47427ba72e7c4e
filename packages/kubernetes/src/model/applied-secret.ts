import { type JsonObject, type JsonValue, parseDocument, parseValue, renderValue } from '@platform/resources';
import type { KubernetesKind } from './kind.ts';
import { isSecret } from './secret-type.ts';

/** The annotation in which `kubectl apply` keeps the configuration that it applied. */
export const appliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** Stands for a value that was left out. */
export const noValue = '""';

/**
 * The annotations of a Secret without the values in the configuration that `kubectl apply` keeps there; kubectl only looks at the keys.
 *
 * Attack: somebody who may list Secrets, or reads the database or the change log, where annotations are not sealed, finds the values there.
 */
export function withoutAppliedValues(annotations: JsonObject, kind: KubernetesKind): JsonObject {
  const quoted = annotations.get(appliedAnnotation);
  if (!isSecret(kind) || typeof quoted !== 'string' || !quoted.startsWith('"')) return annotations;
  const text = JSON.parse(quoted) as string;
  try {
    parseDocument(text);
  } catch {
    return annotations;
  }
  const applied = parseValue(text);
  mapValues(applied, () => noValue);
  return new Map(annotations).set(appliedAnnotation, JSON.stringify(renderValue(applied)));
}

/** Changes the values of a Secret. */
export function mapValues(secret: JsonValue, change: (member: string, key: string) => JsonValue): void {
  if (!(secret instanceof Map)) return;
  for (const member of ['data', 'stringData']) {
    const values = secret.get(member);
    if (!(values instanceof Map)) continue;
    for (const key of values.keys()) values.set(key, change(member, key));
  }
}
