import { escapePointer, type Fault, Problem } from '@platform/kernel';
import {
  countFields,
  difference,
  emptySet,
  type FieldPath,
  type FieldSet,
  insertField,
  intersection,
  isEmptySet,
  pathsOf,
  sameFields,
  showField,
  union,
  unionOf,
} from '../model/field-set.ts';
import { type FieldType, itemsOf } from '../model/field-type.ts';
import type { JsonValue } from '../model/json-value.ts';
import {
  beforeFirstApply,
  clientSideApply,
  type Manager,
  renderManagers,
  withoutEmptyCollections,
} from '../model/managed-fields.ts';
import type { JsonText } from '../model/resource.ts';
import { compareFields, fieldsOf, mergeFields, pruneFields } from './field-merge.ts';

/** The writer of a change, for the fields that it changes. */
export interface FieldWriter {
  readonly name: string;
  /** The subresource that it writes; null for the resource itself. */
  readonly subresource: Manager['subresource'];
  readonly apiVersion: string;
  /** RFC 3339 with seconds. */
  readonly time: string;
}

/** A configuration that a client applied in its own way, without server-side apply. */
export interface ClientApplied {
  readonly config: JsonValue;
  /** Whether its manager is the writer of this apply, which goes over to server-side apply. */
  readonly isByWriter: boolean;
}

/**
 * The managers of a resource that was never applied: all of its fields were written before the first apply. The exceptions are the annotation of
 * kubectl, and the fields that still have the values of the configuration in it.
 */
export function initialManagers(
  live: JsonValue,
  type: FieldType,
  { apiVersion, time, subresource, name }: FieldWriter,
  applied: ClientApplied | null = null,
): readonly Manager[] {
  const fields = fieldsOf(withoutEmptyCollections(live), type);
  const annotation = intersection(fields, appliedAnnotation);
  const unchanged = applied === null ? emptySet() : unchangedFields(live, applied.config, type);
  const [own, others] = applied?.isByWriter ? [unchanged, emptySet()] : [emptySet(), unchanged];
  const client = union(annotation, others);
  const rest = difference(fields, union(client, own));
  const shared = { subresource, apiVersion, time };
  const managers: readonly Manager[] = [
    { ...shared, name: beforeFirstApply, operation: 'Update', fields: rest },
    { ...shared, name: clientSideApply.manager, operation: 'Update', fields: client },
    { ...shared, name, operation: 'Apply', fields: own },
  ];
  return managers.filter((manager) => !isEmptySet(manager.fields));
}

const appliedAnnotation = emptySet();
insertField(appliedAnnotation, ['f:metadata', 'f:annotations', `f:${clientSideApply.annotation}`]);

/** The fields of a configuration that the live value has with the same values. */
export function unchangedFields(live: JsonValue, config: JsonValue, type: FieldType): FieldSet {
  const { added, modified, replaced } = compareFields(live, mergeFields(live, config, type), type);
  return difference(fieldsOf(config, type), union(union(added, modified), replaced));
}

function isBy(
  { name, operation, subresource }: Manager,
  writer: FieldWriter,
  wanted: Manager['operation'],
): boolean {
  return name === writer.name && operation === wanted && subresource === writer.subresource;
}

/** The result of an apply. */
export interface Applied {
  readonly value: JsonValue;
  readonly managers: readonly Manager[];
}

/**
 * Applies a configuration (Kubernetes, "Server-Side Apply"): it is merged into the live value; fields that the manager applied before and
 * leaves out now are removed, unless somebody else has them, too. Throws `apply_conflict` when it changes fields of others, unless `force`.
 */
export function applyConfiguration(
  live: JsonValue,
  config: JsonValue,
  {
    managers,
    writer,
    type,
    force,
    mayTake = emptySet(),
  }: {
    readonly managers: readonly Manager[];
    readonly writer: FieldWriter;
    readonly type: FieldType;
    readonly force: boolean;
    /** Fields that are taken from others without a conflict. */
    readonly mayTake?: FieldSet;
  },
): Applied {
  const own = managers.find((manager) => isBy(manager, writer, 'Apply'));
  const others = managers.filter((manager) => manager !== own);
  const fields = fieldsOf(config, type);
  const keep = unionOf([fields, ...others.map((other) => other.fields)]);
  const value = pruneFields(mergeFields(live, config, type), own?.fields ?? emptySet(), keep, type);
  const { added, modified, removed, replaced } = compareFields(live, value, type);
  const taken = union(union(added, modified), replaced);
  // Finalizers come and go through their own subresource, so one that is not there belongs to nobody.
  const contested = difference(difference(taken, finalizersOf(added)), mayTake);
  if (!force) requireNoConflict(others, contested, config, type);
  const gone = union(taken, removed);
  const isSame = own !== undefined && sameFields(own.fields, fields) && own.apiVersion === writer.apiVersion;
  const mine: Manager = isSame ? own : { ...writer, operation: 'Apply', fields };
  return { value, managers: withManager(managers, own, mine, gone) };
}

/** Bytes of `metadata.managedFields`, at most: room for two managers that apply every field of a resource with the most and smallest fields. */
const maxManagedBytes = 2_097_152;

/**
 * `metadata.managedFields` after an apply. Throws `payload_too_large` when it would grow beyond its bound.
 *
 * Attack: somebody applies one field again and again, each time as another manager, and the resource grows without an end.
 */
export function renderApplied(managers: readonly Manager[], before: JsonText | null): JsonText | null {
  const text = renderManagers(managers);
  const bytes = bytesOf(text);
  if (bytes <= maxManagedBytes || bytes <= bytesOf(before)) return text;
  const detail = `The managed fields of the resource would have more than ${maxManagedBytes} bytes.`;
  throw new Problem('payload_too_large', `${detail} Apply as one of its managers.`);
}

function bytesOf(text: JsonText | null): number {
  return text === null ? 0 : new TextEncoder().encode(text).length;
}

function finalizersOf(fields: FieldSet): FieldSet {
  const finalizers = fields.children.get('f:metadata')?.children.get('f:finalizers');
  if (finalizers === undefined) return emptySet();
  const metadata = { owned: false, children: new Map([['f:finalizers', finalizers]]) };
  return { owned: false, children: new Map([['f:metadata', metadata]]) };
}

/** The managers after a write other than an apply: the writer takes over the fields that it changes. */
export function updateManagers(
  live: JsonValue,
  value: JsonValue,
  managers: readonly Manager[],
  writer: FieldWriter,
  type: FieldType,
): readonly Manager[] {
  const { added, modified, removed, replaced } = compareFields(live, value, type);
  const taken = union(added, modified);
  const gone = union(union(taken, removed), replaced);
  if (isEmptySet(gone)) return managers;
  const own = managers.find((manager) => isBy(manager, writer, 'Update'));
  const fields = union(difference(own?.fields ?? emptySet(), gone), taken);
  return withManager(managers, own, { ...writer, operation: 'Update', fields }, gone);
}

/** The managers after a write: all but the writer lose the fields in `gone`. The order is kept, so that a write without effect changes nothing. */
function withManager(
  managers: readonly Manager[],
  own: Manager | undefined,
  mine: Manager,
  gone: FieldSet,
): readonly Manager[] {
  const after = managers.map((manager) => (manager === own ? mine : lose(manager, gone, mine)));
  return own === undefined ? [...after, mine] : after;
}

function lose(manager: Manager, gone: FieldSet, { time }: Pick<Manager, 'time'>): Manager {
  const fields = difference(manager.fields, gone);
  return sameFields(fields, manager.fields) ? manager : { ...manager, fields, time };
}

/** The most conflicts in one refusal, and the characters of their fields. */
const maxConflicts = 100;
const maxConflictText = 64 * 1024;

/**
 * Throws `apply_conflict` when an apply changes fields of others. Attack: it changes tens of thousands, all below a name of half a megabyte.
 * Only those that are shown are written out.
 */
function requireNoConflict(
  others: readonly Manager[],
  contested: FieldSet,
  config: JsonValue,
  type: FieldType,
): void {
  const conflicts = others
    .map((manager) => ({ manager, fields: intersection(manager.fields, contested) }))
    .filter(({ fields }) => !isEmptySet(fields));
  if (conflicts.length === 0) return;
  const count = conflicts.reduce((sum, { fields }) => sum + countFields(fields), 0);
  let room = maxConflictText;
  const shown = conflicts
    .flatMap(({ manager, fields }) =>
      firstOf(pathsOf(fields), maxConflicts).map((path) => ({ manager, path })),
    )
    .slice(0, maxConflicts)
    .map(({ manager: { name, operation }, path }) => ({
      manager: name,
      operation,
      field: showField(path),
      path,
    }))
    .filter(({ field }, index) => {
      room -= field.length;
      return index === 0 || room >= 0;
    });
  const [first] = shown;
  const more = count > 1 ? ` and ${count - 1} more` : '';
  const pointerTo = pointersInto(config, type);
  const errors: readonly Fault[] = shown.map(({ manager, field, path }) => ({
    path: pointerTo(path),
    message: `conflict with "${manager}": ${field}`,
  }));
  throw new Problem(
    'apply_conflict',
    `The apply changes fields of other managers: conflict with "${first?.manager}": ${first?.field}${more}. Leave them out, set them to their values, or pass force=true to take them over.`,
    {
      errors,
      members: {
        conflicts: shown.map(({ manager, operation, field }) => ({ manager, operation, field })),
      },
    },
  );
}

function firstOf<T>(items: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === count) break;
    first.push(item);
  }
  return first;
}

type Place = readonly [index: number, item: JsonValue];

/**
 * The JSON pointer of a field in the configuration; of the container where the configuration does not have it. The items of a list are
 * looked for once: it may have a hundred thousand.
 */
function pointersInto(config: JsonValue, type: FieldType): (path: FieldPath) => string {
  const known = new Map<JsonValue, ReadonlyMap<string, Place>>();
  const placesIn = (list: readonly JsonValue[], at: FieldType): ReadonlyMap<string, Place> =>
    new Map(Array.from(itemsOf(list, at) ?? [], ([element, item], index) => [element, [index, item]]));
  return (path) => {
    let [pointer, value, at]: [string, JsonValue | undefined, FieldType] = ['', config, type];
    for (const element of path) {
      if (element.startsWith('f:')) {
        const name = element.slice(2);
        pointer += `/${escapePointer(name)}`;
        value = value instanceof Map ? value.get(name) : undefined;
        at = at.member(name);
        continue;
      }
      if (!Array.isArray(value)) return pointer;
      const places = known.get(value) ?? placesIn(value, at);
      known.set(value, places);
      const place = places.get(element);
      if (place === undefined) return pointer;
      pointer += `/${place[0]}`;
      value = place[1];
      at = at.item();
    }
    return pointer;
  };
}
