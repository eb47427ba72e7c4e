import { type JsonObject, type JsonValue, platformGroup } from '@platform/resources';
import type { KubernetesKind } from './kind.ts';

/** The type of a Secret that says none. */
const opaque = '"Opaque"';

/** Whether the kind is Secret. */
export function isSecret({ form, kind }: KubernetesKind): boolean {
  return form === 'data' && kind === 'Secret';
}

/** The members of objects of the kind that hold secret values, each with the keys of these values; null stands for every key. */
export function secretMembers(kind: KubernetesKind): ReadonlyMap<string, readonly string[] | null> {
  if (isSecret(kind)) return secretMembersOf.secret;
  return kind.group === platformGroup && kind.kind === 'Subscription'
    ? secretMembersOf.subscription
    : secretMembersOf.others;
}

const secretMembersOf = {
  secret: new Map([
    ['data', null],
    ['stringData', null],
  ]),
  subscription: new Map([['spec', ['secret']]]),
  others: new Map(),
};

/** The spec with the type of a Secret, which the API server of Kubernetes sets when a client leaves it out. Other kinds are not changed. */
export function withSecretType(spec: JsonObject, kind: KubernetesKind): JsonObject {
  const isMissing = (type: JsonValue | undefined) => type === undefined || type === '""' || type === 'null';
  return isSecret(kind) && isMissing(spec.get('type')) ? new Map(spec).set('type', opaque) : spec;
}
