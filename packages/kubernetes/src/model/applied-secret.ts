import {
  type JsonObject,
  type JsonValue,
  parseDocument,
  parseValue,
  type Resource,
  renderValue,
} from '@platform/resources';
import { withSealedBytes } from './data-bytes.ts';
import type { KubernetesKind } from './kind.ts';
import { secretMembers } from './secret-type.ts';

/** The annotation in which `kubectl apply` keeps the configuration that it applied. */
export const appliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** Stands for a value that was left out. */
export const noValue = '""';

/**
 * The annotations of an object as they are stored: without secret values in the configuration that `kubectl apply` keeps there.
 *
 * Attack: somebody who may list Secrets or read Subscriptions, or reads the database or the change log, where annotations are not sealed, finds
 * the values there.
 */
export function withoutAppliedValues(annotations: JsonObject, kind: KubernetesKind): JsonObject {
  return withValues(annotations, kind, () => noValue);
}

/**
 * The annotations of an object as they are shown: those of a Secret with the values that the reader sees in `data`. So kubectl finds what it
 * applied there, and nothing to change.
 */
export function withAppliedValues(
  annotations: JsonObject,
  { spec }: Pick<Resource, 'spec'>,
  kind: KubernetesKind,
): JsonObject {
  if (secretMembers(kind).size === 0 || !annotations.has(appliedAnnotation)) return annotations;
  const data = (parseValue(withSealedBytes(spec, kind)) as JsonObject).get('data');
  const shown = data instanceof Map ? data : new Map<string, JsonValue>();
  return withValues(annotations, kind, (member, key) => (member === 'data' && shown.get(key)) || noValue);
}

function withValues(annotations: JsonObject, kind: KubernetesKind, change: ValueOf): JsonObject {
  const quoted = annotations.get(appliedAnnotation);
  if (secretMembers(kind).size === 0 || typeof quoted !== 'string' || !quoted.startsWith('"'))
    return annotations;
  const text = JSON.parse(quoted) as string;
  try {
    parseDocument(text);
  } catch {
    return annotations;
  }
  const applied = parseValue(text);
  mapValues(applied, kind, change);
  // kubectl compares the text as a whole, and ends it with a line break.
  const end = text.slice(text.trimEnd().length);
  return new Map(annotations).set(appliedAnnotation, JSON.stringify(renderValue(applied) + end));
}

type ValueOf = (member: string, key: string) => JsonValue;

/** Changes the secret values of an object. */
export function mapValues(object: JsonValue, kind: KubernetesKind, change: ValueOf): void {
  if (!(object instanceof Map)) return;
  for (const [member, secrets] of secretMembers(kind)) {
    const values = object.get(member);
    if (!(values instanceof Map)) continue;
    for (const key of values.keys()) {
      if (secrets === null || secrets.includes(key)) values.set(key, change(member, key));
    }
  }
}
