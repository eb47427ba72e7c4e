import { type JsonObject, type JsonValue, stringOf } from '@platform/resources';
import { keptVersion, objectSchema } from './object-schema.ts';
import { shownSelectableFields } from './status-fields.ts';
import { isTrue, jsonValueOf, members, objectOf, objectsOf } from './values.ts';

/** The `spec` of the CustomResourceDefinition that shows a ResourceDefinition, from its stored `spec`. */
export function toCrdSpec(spec: JsonObject): JsonObject {
  return members({
    group: spec.get('group'),
    names: namesOf(spec),
    scope: objectOf(spec.get('parent')) === undefined ? '"Cluster"' : '"Namespaced"',
    versions: objectsOf(spec.get('versions')).map((version) => toVersion(version, spec.get('description'))),
    conversion: jsonValueOf({ strategy: 'None' }),
  });
}

/**
 * The `status` of that CustomResourceDefinition: a definition is served as soon as it is stored. `used` are the versions that rows are stored at;
 * null when that is not known, and every version may be one.
 */
export function toCrdStatus(
  spec: JsonObject,
  createdAt: string,
  deletedAt: string | null,
  used: readonly string[] | null,
): JsonObject {
  const condition = (type: string, reason: string, message: string, since: string) => ({
    type,
    status: 'True',
    lastTransitionTime: since,
    reason,
    message,
  });
  const stored = objectsOf(spec.get('versions')).filter(
    (version) =>
      used === null || isTrue(version.get('storage')) || used.includes(stringOf(version.get('name')) ?? ''),
  );
  return members({
    conditions: jsonValueOf([
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found', createdAt),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted', createdAt),
      ...(deletedAt === null
        ? []
        : [
            condition('Terminating', 'InstanceDeletionPending', 'the definition is being deleted', deletedAt),
          ]),
    ]),
    acceptedNames: namesOf(spec),
    storedVersions: stored.flatMap((version) => version.get('name') ?? []),
  });
}

function namesOf(spec: JsonObject): JsonObject {
  const kind = stringOf(spec.get('kind')) ?? '';
  const listKinds = objectsOf(spec.get('versions')).flatMap(
    (version) => keptVersion(objectOf(version.get('schema')))?.get('listKind') ?? [],
  );
  return members({
    plural: spec.get('plural'),
    singular: spec.get('singular') ?? jsonValueOf(kind.toLowerCase()),
    shortNames: spec.get('shortNames'),
    kind: spec.get('kind'),
    listKind: listKinds[0] ?? jsonValueOf(`${kind}List`),
    categories: spec.get('categories'),
  });
}

function toVersion(version: JsonObject, description: JsonValue | undefined): JsonObject {
  const schema = version.get('schema');
  const kept = keptVersion(objectOf(schema));
  return members({
    name: version.get('name'),
    served: version.get('served'),
    storage: version.get('storage'),
    deprecated: kept?.get('deprecated'),
    deprecationWarning: kept?.get('deprecationWarning'),
    schema: members({ openAPIV3Schema: objectSchema(schema, description) }),
    subresources: kept === undefined ? jsonValueOf({ status: {} }) : kept.get('subresources'),
    additionalPrinterColumns: version.get('additionalPrinterColumns'),
    selectableFields: shownSelectableFields(version.get('selectableFields'), kept?.get('selectableFields')),
  });
}
