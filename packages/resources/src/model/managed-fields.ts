import { renderEnvelope } from './envelope.ts';
import { type FieldSet, isEmptySet, parseFields, renderFields } from './field-set.ts';
import {
  isEmptyCollection,
  type JsonObject,
  type JsonValue,
  parseValue,
  renderValue,
  stringOf,
} from './json-value.ts';
import { clientMembers } from './request-bodies.ts';
import type { JsonText, Resource } from './resource.ts';

/** The fields that one manager has, by the way in which it wrote them. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  /** The subresource that it wrote them through; null for the resource itself. */
  readonly subresource: 'status' | null;
  readonly apiVersion: string;
  /** RFC 3339 with seconds: when its fields changed. */
  readonly time: string;
  readonly fields: FieldSet;
}

/** The manager of the fields that were written before the first apply. */
export const beforeFirstApply = 'before-first-apply';

/**
 * How `kubectl apply` without `--server-side` is known: by its name in Kubernetes, and by the annotation with the configuration. When kubectl goes over
 * to server-side apply, it takes over all fields of the manager that has this annotation, so that must not be {@link beforeFirstApply}.
 */
export const clientSideApply = {
  manager: 'kubectl-client-side-apply',
  annotation: 'kubectl.kubernetes.io/last-applied-configuration',
} as const;

/** The text of `metadata.managedFields`, or null for a resource that was never applied. */
export function managedFieldsOf({ metadata }: Pick<Resource, 'metadata'>): JsonText | null {
  // Most rows have none, and need not be parsed.
  if (!metadata.includes('"managedFields"')) return null;
  const value = (parseValue(metadata) as JsonObject).get('managedFields');
  return value === undefined ? null : renderValue(value);
}

/** Metadata without managed fields, with these added. */
export function withManagedFields(metadata: JsonText, managed: JsonText | null): JsonText {
  return managed === null ? metadata : `${metadata.slice(0, -1)},"managedFields":${managed}}`;
}

/** Stored metadata with other managed fields. */
export function withOtherManagers(metadata: JsonText, managed: JsonText | null): JsonText {
  const members = parseValue(metadata) as JsonObject;
  members.delete('managedFields');
  return withManagedFields(renderValue(members), managed);
}

/** The managers of a stored resource. */
export function parseManagers(text: JsonText): readonly Manager[] {
  const entries = parseValue(text);
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => (entry instanceof Map ? [managerOf(entry)] : []));
}

function managerOf(entry: JsonObject): Manager {
  const textOf = (member: string) => stringOf(entry.get(member)) ?? '';
  return {
    name: textOf('manager'),
    operation: textOf('operation') === 'Apply' ? 'Apply' : 'Update',
    subresource: textOf('subresource') === 'status' ? 'status' : null,
    apiVersion: textOf('apiVersion'),
    time: textOf('time'),
    fields: parseFields(renderValue(entry.get('fieldsV1') ?? new Map())),
  };
}

/** `metadata.managedFields` in Kubernetes' form; null when nobody has a field. */
export function renderManagers(managers: readonly Manager[]): JsonText | null {
  const owners = managers.filter(({ fields }) => !isEmptySet(fields));
  if (owners.length === 0) return null;
  const entries = owners.map(({ name, operation, subresource, apiVersion, time, fields }): JsonValue => {
    const text = (value: string) => JSON.stringify(value);
    return new Map<string, JsonValue>([
      ['manager', text(name)],
      ['operation', text(operation)],
      ['apiVersion', text(apiVersion)],
      ['time', text(time)],
      ['fieldsType', text('FieldsV1')],
      ['fieldsV1', parseValue(renderFields(fields))],
      ...(subresource === null ? [] : ([['subresource', text(subresource)]] as const)),
    ]);
  });
  return renderValue(entries);
}

/** The part of a resource whose fields are managed, as a value: the metadata that clients set, and `spec`. */
export function managedValue(resource: Resource): JsonObject {
  return new Map<string, JsonValue>([
    ['metadata', clientMetadataValue(resource)],
    ['spec', parseValue(resource.spec)],
  ]);
}

/** The metadata that clients set, besides the name, as the envelope shows it. */
export function clientMetadataValue(resource: Resource): JsonObject {
  const envelope = parseValue(renderEnvelope(resource, resource.apiVersion, 'metadata')) as JsonObject;
  const shown = envelope.get('metadata') as JsonObject;
  return new Map([...shown].filter(([member]) => clientMembers.has(member)));
}

/** A value of {@link managedValue} without its empty collections: every resource has them, so nobody owns them unless they are applied. */
export function withoutEmptyCollections(value: JsonValue): JsonValue {
  const filled = new Map<string, JsonValue>();
  for (const [name, member] of value as JsonObject) {
    const kept = name === 'metadata' ? withoutEmptyCollections(member) : member;
    if (!isEmptyCollection(kept)) filled.set(name, kept);
  }
  return filled;
}
