import { equalValues, isFieldsV1, type JsonObject, type JsonValue, stringOf } from '@platform/resources';
import { objectOf, without } from '../definitions/values.ts';
import { apiVersionOf, type KubernetesKind } from './kind.ts';
import { withStoredMetadata } from './object-fields.ts';

/**
 * The `metadata.managedFields` that a write sets, in the form of the resource: null when it takes away all managers, with one empty entry, and
 * undefined when it keeps those that are `shown`. As in Kubernetes, an empty list keeps them, and so does one that is not valid: clients that
 * do not know the member must not change it by accident.
 */
export function setManagers(
  sent: JsonValue | undefined,
  shown: JsonValue | undefined,
  kind: KubernetesKind,
): readonly JsonValue[] | null | undefined {
  if (!Array.isArray(sent) || sent.length === 0 || equalValues(sent, shown)) return undefined;
  // Their fields have other names in the resource.
  if (kind.form === 'namespace' || kind.form === 'definition') return undefined;
  const [first] = sent;
  if (sent.length === 1 && objectOf(first)?.size === 0) return shown === undefined ? undefined : null;
  const managers = sent.map((entry) => storedManager(entry, kind));
  return managers.includes(null) ? undefined : managers.flatMap((entry) => entry ?? []);
}

/** An entry in the form of the resource; null for one that is not valid. */
function storedManager(sent: JsonValue, kind: KubernetesKind): JsonObject | null {
  const entry = objectOf(sent);
  const fields = objectOf(entry?.get('fieldsV1'));
  const textOf = (member: string) => stringOf(entry?.get(member)) ?? '';
  const isValid =
    ['Apply', 'Update'].includes(textOf('operation')) &&
    textOf('apiVersion') !== '' &&
    textOf('fieldsType') === 'FieldsV1' &&
    fields !== undefined &&
    isFieldsV1(fields);
  if (entry === undefined || !isValid) return null;
  const stored = withStoredMetadata(fields);
  if (kind.form === 'resource') return new Map<string, JsonValue>([...entry, ['fieldsV1', stored]]);
  return new Map<string, JsonValue>([
    ...entry,
    ['apiVersion', JSON.stringify(apiVersionOf(kind.stored))],
    ['fieldsV1', storedFields(stored, kind)],
  ]);
}

/** The fields of the resource, from those of the object. */
function storedFields(fields: JsonObject, { form }: KubernetesKind): JsonObject {
  if (form !== 'data') return fields;
  const spec = without(without(fields, 'f:metadata'), '.');
  const metadata = fields.get('f:metadata');
  return new Map([
    ...(metadata === undefined ? [] : ([['f:metadata', metadata]] as const)),
    ...(spec.size === 0 ? [] : ([['f:spec', spec]] as const)),
  ]);
}
