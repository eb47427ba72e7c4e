import type { JsonObject, JsonValue } from '@platform/resources';
import type { KubernetesKind } from './kind.ts';

/** The type of a Secret that says none. */
const opaque = '"Opaque"';

/** Whether the kind is Secret. */
export function isSecret({ form, kind }: KubernetesKind): boolean {
  return form === 'data' && kind === 'Secret';
}

/** The spec with the type of a Secret, which the API server of Kubernetes sets when a client leaves it out. Other kinds are not changed. */
export function withSecretType(spec: JsonObject, kind: KubernetesKind): JsonObject {
  const isMissing = (type: JsonValue | undefined) => type === undefined || type === '""' || type === 'null';
  return isSecret(kind) && isMissing(spec.get('type')) ? new Map(spec).set('type', opaque) : spec;
}
