import type { Fault } from '@platform/kernel';
import { type JsonObject, type JsonValue, renderValue, selectableFault, stringOf } from '@platform/resources';
import { itemsOf, objectOf } from './values.ts';

/** Fields of one version that lists are selected by, at most: the limit of KEP-4358. */
const maxFields = 8;

const statusPath = /^(?=.{1,1000}$)\.status(?:\.[A-Za-z_][A-Za-z0-9_-]*)+$/;

/**
 * The selectable fields of a version of a CustomResourceDefinition: those of `spec`, as a ResourceDefinition has them, and those of `status`, which are
 * kept with the schema, since the status of an object is one slot of several there.
 */
export function selectableFieldsOf(version: JsonObject): {
  readonly ofSpec: JsonValue | undefined;
  readonly ofStatus: JsonValue | undefined;
} {
  const sent = version.get('selectableFields');
  const ofStatus = itemsOf(sent).filter(isOfStatus);
  if (ofStatus.length === 0) return { ofSpec: sent, ofStatus: undefined };
  const ofSpec = itemsOf(sent).filter((field) => !isOfStatus(field));
  return { ofSpec: ofSpec.length === 0 ? undefined : ofSpec, ofStatus };
}

/** Both together again. */
export function shownSelectableFields(
  ofSpec: JsonValue | undefined,
  ofStatus: JsonValue | undefined,
): JsonValue | undefined {
  return ofStatus === undefined ? ofSpec : [...itemsOf(ofSpec), ...itemsOf(ofStatus)];
}

function pathOf(field: JsonValue): string {
  return stringOf(objectOf(field)?.get('jsonPath')) ?? '';
}

function isOfStatus(field: JsonValue): boolean {
  return /^\.status(?:\.|$)/.test(pathOf(field));
}

/** Every fault of the selectable fields of `status`; a ResourceDefinition shows those of the others. */
export function statusFieldFaults(version: JsonObject, pointer: string): Fault[] {
  const fields = itemsOf(version.get('selectableFields'));
  if (!fields.some(isOfStatus)) return [];
  const at = `${pointer}/selectableFields`;
  const faults: Fault[] = [];
  if (fields.length > maxFields) faults.push({ path: at, message: `must have at most ${maxFields} entries` });
  if (new Set(fields.map(pathOf)).size !== fields.length)
    faults.push({ path: at, message: 'must name each once' });
  const schema = plainSchema(version);
  fields.forEach((field, index) => {
    if (!isOfStatus(field)) return;
    const path = pathOf(field);
    const message = statusPath.test(path)
      ? selectableFault(path, schema)
      : 'must be a simple path below .status, such as .status.phase';
    if (message !== null) faults.push({ path: `${at}/${index}/jsonPath`, message });
  });
  return faults;
}

/** The schema of the status as plain data. */
function plainSchema(version: JsonObject): unknown {
  const root = objectOf(objectOf(version.get('schema'))?.get('openAPIV3Schema'));
  const status = objectOf(root?.get('properties'))?.get('status');
  return status === undefined ? {} : JSON.parse(renderValue(status));
}

/** The fields of the status that objects are selected by, such as `status.phase`, from the kept part of a stored schema. */
export function readStatusFields(kept: unknown): readonly string[] {
  if (!Array.isArray(kept)) return [];
  return kept
    .slice(0, maxFields)
    .map((field) => (field as { readonly jsonPath?: unknown } | null)?.jsonPath)
    .filter((path): path is string => typeof path === 'string' && statusPath.test(path))
    .map((path) => path.slice(1));
}
