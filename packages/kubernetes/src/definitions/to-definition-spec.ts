import { type Fault, invalid } from '@platform/kernel';
import {
  equalValues,
  type JsonObject,
  type JsonValue,
  platformApiVersion,
  stringOf,
} from '@platform/resources';
import { crdFaults } from './crd-faults.ts';
import { versionKeyword } from './object-schema.ts';
import { selectableFieldsOf } from './status-fields.ts';
import { toCrdSpec } from './to-crd.ts';
import { toJsonSchema } from './to-json-schema.ts';
import {
  isGiven,
  isTrue,
  itemsOf,
  jsonValueOf,
  members,
  objectOf,
  objectsOf,
  step,
  without,
} from './values.ts';

/** Members of a version that a ResourceDefinition does not have; they are kept with its schema. */
const keptMembers = ['subresources', 'deprecated', 'deprecationWarning'];

/** Members of `names` that a ResourceDefinition has by the same name. */
const sharedNames = ['singular', 'shortNames', 'categories'];

/**
 * The `spec` of the ResourceDefinition that registers what a CustomResourceDefinition describes. `stored` is the spec that it replaces: what
 * a CustomResourceDefinition cannot say is taken from it, and schemas that were not changed stay as they are.
 * Throws `validation_failed` with every fault, by paths of the CustomResourceDefinition.
 */
export function toDefinitionSpec(crd: JsonObject, stored: JsonObject | null): JsonObject {
  const faults = crdFaults(crd);
  const spec = specOf(crd, stored, faults);
  if (faults.length > 0) throw invalid(faults);
  const rest = stored === null ? undefined : without(stored, ...written);
  return new Map([...spec, ...(rest ?? [])]);
}

/**
 * The part of the `spec` of a ResourceDefinition that a CustomResourceDefinition says that is applied on the server. It may leave out members that other
 * managers say. Throws `validation_failed` with the faults of those that it has.
 */
export function toAppliedDefinition(crd: JsonObject): JsonObject {
  const said = objectOf(crd.get('spec')) ?? new Map<string, JsonValue>();
  const isAbsent = ({ path }: Fault) =>
    ['scope', 'names', 'versions'].some((name) => path === `/spec/${name}` && !said.has(name));
  const faults = crdFaults(crd).filter((fault) => !isAbsent(fault));
  const spec = specOf(crd, null, faults);
  if (faults.length > 0) throw invalid(faults);
  return spec;
}

/** The members of the `spec` of a ResourceDefinition that a CustomResourceDefinition says. Adds the faults of its schemas to `faults`. */
function specOf(crd: JsonObject, stored: JsonObject | null, faults: Fault[]): JsonObject {
  const spec = objectOf(crd.get('spec')) ?? new Map<string, JsonValue>();
  const names = objectOf(spec.get('names')) ?? new Map<string, JsonValue>();
  const shown = stored === null ? undefined : toCrdSpec(stored);
  const versions = objectsOf(spec.get('versions')).map((version, index) =>
    toVersion(version, `/spec/versions/${index}`, names, storedVersion(version, shown, stored), faults),
  );
  return new Map([
    ...members({ group: spec.get('group'), kind: names.get('kind'), plural: names.get('plural') }),
    ...(parentOf(spec, stored) ?? []),
    ...members({ versions: spec.has('versions') ? versions : undefined }),
    ...[...names].filter(([name]) => sharedNames.includes(name)),
  ]);
}

/** Members of a definition that a CustomResourceDefinition decides. */
const written = ['group', 'kind', 'plural', 'parent', 'versions', ...sharedNames];

/** A kind below another parent than Organization is namespaced too, and stays where it is. */
function parentOf(spec: JsonObject, stored: JsonObject | null): JsonObject | undefined {
  if (stringOf(spec.get('scope')) !== 'Namespaced') return undefined;
  const parent = objectOf(stored?.get('parent'));
  return members({ parent: parent ?? jsonValueOf({ apiVersion: platformApiVersion, kind: 'Organization' }) });
}

interface StoredVersion {
  /** How it is shown, and how it is stored. */
  readonly shown: JsonObject;
  readonly stored: JsonObject;
}

function storedVersion(
  version: JsonObject,
  shown: JsonObject | undefined,
  stored: JsonObject | null,
): StoredVersion | undefined {
  const isNamed = (other: JsonObject) => stringOf(other.get('name')) === stringOf(version.get('name'));
  const [before, kept] = [shown, stored].map((spec) => objectsOf(spec?.get('versions')).find(isNamed));
  return before === undefined || kept === undefined ? undefined : { shown: before, stored: kept };
}

function toVersion(
  version: JsonObject,
  pointer: string,
  names: JsonObject,
  before: StoredVersion | undefined,
  faults: Fault[],
): JsonObject {
  const isSame = ['schema', 'selectableFields', ...keptMembers].every((name) =>
    equalValues(before?.shown.get(name), version.get(name)),
  );
  return members({
    name: version.get('name'),
    served: version.get('served'),
    storage: version.get('storage'),
    schema:
      before !== undefined && isSame
        ? before.stored.get('schema')
        : toStoredSchema(version, pointer, names, faults),
    additionalPrinterColumns: version.get('additionalPrinterColumns'),
    selectableFields: selectableFieldsOf(version).ofSpec,
  });
}

/** The JSON Schema of `spec`, with what is around it in the version. */
function toStoredSchema(
  version: JsonObject,
  pointer: string,
  names: JsonObject,
  faults: Fault[],
): JsonObject {
  const root = objectOf(objectOf(version.get('schema'))?.get('openAPIV3Schema')) ?? new Map();
  const at = `${pointer}/schema/openAPIV3Schema`;
  const properties = objectOf(root.get('properties'));
  const spec = properties?.get('spec');
  const status = properties?.get('status');
  // The status is kept as it is; it is converted only to find its faults.
  if (status !== undefined) toJsonSchema(status, step(`${at}/properties`, 'status'), faults);
  faults.push(...metadataFaults(properties?.get('metadata'), step(`${at}/properties`, 'metadata')));
  const around = new Map(root);
  if (properties !== undefined && spec !== undefined)
    around.set('properties', new Map(properties).set('spec', 'true'));
  const kept = members({
    schema: around,
    listKind: isGiven(names.get('listKind')) ? names.get('listKind') : undefined,
    ...Object.fromEntries(keptMembers.map((name) => [name, version.get(name)])),
    selectableFields: selectableFieldsOf(version).ofStatus,
  });
  const schema: JsonObject =
    spec === undefined ? new Map() : toJsonSchema(spec, `${at}/properties/spec`, faults);
  if (spec !== undefined && stringOf(schema.get('type')) !== 'object' && !allowsObjects(schema))
    faults.push({ path: `${at}/properties/spec/type`, message: 'must be object' });
  return new Map<string, JsonValue>([...schema, [versionKeyword, kept]]);
}

/** Kubernetes lets a schema restrict nothing of the metadata but the name and the prefix of a generated name. */
function metadataFaults(metadata: JsonValue | undefined, at: string): Fault[] {
  const properties = objectOf(objectOf(metadata)?.get('properties')) ?? new Map<string, JsonValue>();
  const faults: Fault[] = [];
  for (const [name, schema] of properties) {
    const place = step(`${at}/properties`, name);
    if (name === 'name' || name === 'generateName') toJsonSchema(schema, place, faults);
    else
      faults.push({
        path: place,
        message: 'must not be restricted: of metadata, a schema may restrict name and generateName alone',
        reason: 'FieldValueForbidden',
      });
  }
  return faults;
}

function allowsObjects(schema: JsonObject): boolean {
  if (schema.has('type')) return itemsOf(schema.get('type')).includes('"object"');
  return isTrue(schema.get('x-kubernetes-preserve-unknown-fields'));
}
