import type { JsonObject, JsonValue } from '@platform/resources';
import type { KubernetesKind } from './kind.ts';

/** The type of a Secret that says none. */
const opaque = '"Opaque"';

/** The spec with the type of a Secret, which the API server of Kubernetes sets when a client leaves it out. Other kinds are not changed. */
export function withSecretType(spec: JsonObject, { form, kind }: KubernetesKind): JsonObject {
  const isSecret = form === 'data' && kind === 'Secret';
  const isMissing = (type: JsonValue | undefined) => type === undefined || type === '""' || type === 'null';
  return isSecret && isMissing(spec.get('type')) ? new Map(spec).set('type', opaque) : spec;
}
