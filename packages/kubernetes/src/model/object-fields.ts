import type { JsonObject, JsonValue } from '@platform/resources';
import { crdPointer } from '../definitions/crd-faults.ts';
import { jsonValueOf, members, objectOf, objectsOf, without } from '../definitions/values.ts';
import { controllerField, generateNameField, isHiddenField } from './hidden-annotations.ts';
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
  // Custom kinds have the same name and the same versions in the resource API.
  const named = kind.form === 'resource' ? [] : ([['apiVersion', jsonValueOf(apiVersionOf(kind))]] as const);
  const entries = objectsOf(managed).flatMap((entry) => {
    const fields = objectFields(withShownMetadata(objectOf(entry.get('fieldsV1')) ?? new Map()), kind);
    return fields.size === 0 ? [] : [new Map([...entry, ...named, ['fieldsV1', fields]])];
  });
  return entries.length === 0 ? undefined : entries;
}

/** The fields (FieldsV1) of the object, from those of the resource. */
function objectFields(fields: JsonObject, { form }: KubernetesKind): JsonObject {
  const spec = objectOf(fields.get('f:spec'));
  if (spec === undefined || form === 'resource' || form === 'lease') return fields;
  const others = without(fields, 'f:spec');
  if (form === 'namespace') return others;
  if (form === 'data') return new Map([...others, ...without(spec, '.')]);
  const crd = crdFields(spec);
  return crd.size === 0 ? others : new Map([...others, ['f:spec', crd]]);
}

/** The fields of the object, without those of annotations that it does not show. `metadata.ownerReferences` includes the controller. */
function withShownMetadata(fields: JsonObject): JsonObject {
  const metadata = objectOf(fields.get('f:metadata'));
  const annotations = objectOf(metadata?.get('f:annotations'));
  if (metadata === undefined || annotations === undefined) return fields;
  const shown = new Map([...annotations].filter(([name]) => !isHiddenField(name)));
  if (shown.size === annotations.size) return fields;
  const others = without(metadata, 'f:annotations');
  if (shown.size > 0) others.set('f:annotations', shown);
  if (annotations.has(generateNameField)) others.set('f:generateName', new Map());
  const rest = without(fields, 'f:metadata');
  return others.size === 0 ? rest : rest.set('f:metadata', others);
}

/** The fields of the resource, from those of its object: with those of annotations that the object does not show. */
export function withStoredMetadata(fields: JsonObject): JsonObject {
  const metadata = objectOf(fields.get('f:metadata'));
  if (metadata === undefined) return fields;
  const hidden = [
    ...(metadata.has('f:generateName') ? [generateNameField] : []),
    ...(metadata.has('f:ownerReferences') ? [controllerField] : []),
  ];
  if (hidden.length === 0) return fields;
  const annotations: JsonObject = new Map(objectOf(metadata.get('f:annotations')) ?? []);
  for (const name of hidden) annotations.set(name, new Map());
  const stored = without(metadata, 'f:generateName');
  return new Map(fields).set('f:metadata', stored.set('f:annotations', annotations));
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
