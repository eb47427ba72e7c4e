import type { JsonObject, JsonValue } from '@platform/resources';
import { crdPointer } from '../definitions/crd-faults.ts';
import { exact, members, objectOf, objectsOf, without } from '../definitions/values.ts';
import { apiVersionOf, type KubernetesKind } from './kind.ts';

/** The JSON pointer of a field in the object, from its pointer in the resource. */
export function objectPointer(pointer: string, { form }: Pick<KubernetesKind, 'form'>): string {
  if (form === 'data') return pointer.replace(/^\/spec(?=\/|$)/, '');
  return form === 'definition' ? crdPointer(pointer) : pointer;
}

/** The message of an apply conflict, such as `conflict with "a": .data.color` for the field `.spec.data.color` of a ConfigMap. */
export function objectConflict(message: string, { form }: Pick<KubernetesKind, 'form'>): string {
  const [manager = '', ...rest] = message.split('": ');
  const field = rest.join('": ');
  if (form === 'data') return `${manager}": ${field.replace(/^\.spec(?=\.)/, '')}`;
  return form === 'definition'
    ? `${manager}": ${crdPointer(field.replaceAll('.', '/')).replaceAll('/', '.')}`
    : message;
}

/** `metadata.managedFields` of the object, from those of the resource; undefined when no manager is left. */
export function objectManagers(managed: JsonValue, kind: KubernetesKind): JsonValue | undefined {
  if (kind.form === 'resource') return managed;
  const entries = objectsOf(managed).flatMap((entry) => {
    const fields = objectFields(objectOf(entry.get('fieldsV1')) ?? new Map(), kind);
    const apiVersion = exact(apiVersionOf(kind));
    return fields.size === 0 ? [] : [new Map([...entry, ['apiVersion', apiVersion], ['fieldsV1', fields]])];
  });
  return entries.length === 0 ? undefined : entries;
}

/** The fields (FieldsV1) of the object, from those of the resource. */
function objectFields(fields: JsonObject, { form }: KubernetesKind): JsonObject {
  const spec = objectOf(fields.get('f:spec'));
  if (spec === undefined || form === 'lease') return fields;
  const others = without(fields, 'f:spec');
  if (form === 'namespace') return others;
  if (form === 'data') return new Map([...others, ...without(spec, '.')]);
  const crd = crdFields(spec);
  return crd.size === 0 ? others : new Map([...others, ['f:spec', crd]]);
}

/** The fields of the `spec` of a CustomResourceDefinition, from those of a ResourceDefinition. */
function crdFields(spec: JsonObject): JsonObject {
  const names = ['f:plural', 'f:singular', 'f:shortNames', 'f:kind', 'f:categories'];
  const owned = [...spec].filter(([name]) => names.includes(name));
  return members({
    'f:group': spec.get('f:group'),
    'f:names': owned.length === 0 ? undefined : new Map(owned),
    'f:scope': spec.has('f:parent') ? new Map() : undefined,
    'f:versions': spec.get('f:versions'),
  });
}
