import { invalid, Problem } from '@platform/kernel';
import type { Collection } from '../model/definition.ts';
import { storageVersion } from '../model/definition.ts';
import { type FieldType, resourceType } from '../model/field-type.ts';
import { type JsonDocument, parseDocument } from '../model/json-document.ts';
import {
  equalValues,
  type JsonObject,
  type JsonValue,
  parseValue,
  renderValue,
} from '../model/json-value.ts';
import { legibleBody } from '../model/legible-body.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import { applyBody } from '../model/request-bodies.ts';
import type { JsonText, Resource } from '../model/resource.ts';
import { allOf } from './all-faults.ts';
import { validateConfiguration } from './field-merge.ts';
import { revisionConflict } from './prepare-replace.ts';
import { requireEnvelope, requireValid } from './validate-body.ts';

/** A configuration that may be applied. */
export interface Configuration {
  readonly name: string;
  /** The revision that it is for; null for the latest. */
  readonly revision: number | null;
  /** The managed part. */
  readonly value: JsonObject;
}

/** How the fields of a kind are merged. */
export function fieldTypeOf(collection: Collection): FieldType {
  return resourceType(storageVersion(collection).schema?.schema ?? null);
}

/** Validates the configuration of an apply: its shape, its name when the path has one, and that its lists can be merged. Throws every fault. */
export function prepareApply(
  text: JsonText,
  collection: Collection,
  version: string,
  { type, nameInPath }: { readonly type: FieldType; readonly nameInPath: string | null },
): Configuration {
  const { value: body } = parseDocument(text);
  const legible = legibleBody(body);
  // Stored references have their defaults and lower-case uids; others would look like changes.
  const value = managedPart(parseValue(text), legible.metadata.ownerReferences);
  const [envelope] = allOf(
    () => requireValid(applyBody, body),
    () => requireEnvelope(legible, collection, version),
    () => requireName(legible.metadata.name, nameInPath),
    () => validateConfiguration(value, type),
  );
  const { name, revision = null } = envelope.metadata;
  return { name, revision, value };
}

/** The part of a configuration whose fields are managed. */
function managedPart(
  sent: JsonValue,
  ownerReferences: readonly (OwnerReference | null)[] | undefined,
): JsonObject {
  const value: JsonObject = new Map();
  if (!(sent instanceof Map)) return value;
  const given = sent.get('metadata');
  const metadata: JsonObject = new Map(given instanceof Map ? given : []);
  metadata.delete('name');
  metadata.delete('revision');
  if (ownerReferences?.every((reference) => reference !== null)) {
    metadata.set('ownerReferences', parseValue(JSON.stringify(ownerReferences)));
  }
  if (metadata.size > 0) value.set('metadata', metadata);
  const spec = sent.get('spec');
  if (spec !== undefined) value.set('spec', spec);
  return value;
}

function requireName(name: string | undefined, inPath: string | null): void {
  if (name === undefined || inPath === null || name === inPath) return;
  throw invalid([{ path: '/metadata/name', message: `must be ${inPath}, as in the path` }]);
}

/** Throws `revision_conflict` when the configuration is for another revision. */
export function requireRevisionOf({ revision }: Configuration, stored: Resource): void {
  if (revision !== null && revision !== stored.revision) throw revisionConflict(stored.revision);
}

/** The body of the replacement that an apply amounts to, or of the create when nothing is stored. */
export function appliedBody(
  value: JsonValue,
  before: JsonValue | null,
  {
    name,
    stored,
    kind,
    apiVersion,
    limitBytes,
  }: {
    readonly name: string;
    readonly stored: Resource | null;
    readonly kind: string;
    readonly apiVersion: string;
    readonly limitBytes: number;
  },
): JsonDocument {
  const fields = value as JsonObject;
  const managed = (fields.get('metadata') as JsonObject | undefined) ?? new Map();
  const metadata = new Map<string, JsonValue>([
    ['name', JSON.stringify(name)],
    ...(stored === null ? [] : ([['revision', String(stored.revision)]] as const)),
    ...managed,
  ]);
  const spec = fields.get('spec') ?? new Map();
  const isSame = stored !== null && equalValues((before as JsonObject).get('spec') ?? new Map(), spec);
  const text =
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":${renderValue(metadata)},` +
    `"spec":${isSame ? stored.spec : renderValue(spec)}}`;
  if (new TextEncoder().encode(text).length > limitBytes) {
    throw new Problem('payload_too_large', `The applied resource has more than ${limitBytes} bytes.`);
  }
  return parseDocument(text);
}
