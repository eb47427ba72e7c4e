import { Problem } from '@platform/kernel';
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

/** Validates the configuration of an apply: its shape, and that its lists can be merged. */
export function prepareApply(
  text: JsonText,
  collection: Collection,
  version: string,
  type: FieldType,
): Configuration {
  const { value: body } = parseDocument(text);
  const [envelope] = allOf(
    () => requireValid(applyBody, body),
    () => requireEnvelope(legibleBody(body), collection, version),
  );
  const sent = parseValue(text) as JsonObject;
  const metadata = new Map(sent.get('metadata') as JsonObject);
  const { name, revision = null, ownerReferences } = envelope.metadata;
  metadata.delete('name');
  metadata.delete('revision');
  // Stored references have their defaults and lower-case uids; others would look like changes.
  if (ownerReferences !== undefined) {
    metadata.set('ownerReferences', parseValue(JSON.stringify(ownerReferences)));
  }
  const value: JsonObject = new Map();
  if (metadata.size > 0) value.set('metadata', metadata);
  const spec = sent.get('spec');
  if (spec !== undefined) value.set('spec', spec);
  validateConfiguration(value, type);
  return { name, revision, value };
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
