import { type Fault, invalid, jsonPointer, Problem } from '@platform/kernel';
import { renderEnvelope } from '../model/envelope.ts';
import { type JsonDocument, parseDocument } from '../model/json-document.ts';
import {
  equalValues,
  type JsonObject,
  type JsonValue,
  parseValue,
  renderValue,
} from '../model/json-value.ts';
import { clientMembers } from '../model/request-bodies.ts';
import type { JsonText, Resource } from '../model/resource.ts';
import { applyJsonPatch, malformedPatch, readJsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';

/** The formats of a patch. */
export type PatchFormat = 'merge' | 'json';

/** A patch that is well-formed: applies itself to a document, which shows the stored resource or a part of it. */
export type Patch = (document: JsonValue, stored: Resource) => JsonValue;

/** Reads a patch. Throws `malformed_patch`. */
export function readPatch(format: PatchFormat, text: JsonText): Patch {
  const value = parseValue(text);
  if (format === 'json') {
    const operations = readJsonPatch(value);
    return (document) => applyJsonPatch(document, operations);
  }
  // RFC 7396 lets anything else replace the whole document, which is never a resource.
  if (!(value instanceof Map)) throw malformedPatch([{ path: '', message: 'must be an object' }]);
  return (document) => mergePatch(document, value);
}

/** The members of `metadata` that a patch may change. A revision is not changed: it says which one the patch is for. */
const changeable = new Set([...clientMembers, 'revision']);

/** The replacement that a patch amounts to. */
export interface PatchedDocument {
  /** With what a patch may change, and with `apiVersion` and `kind`, which the replacement compares. */
  readonly body: JsonDocument;
  /** The changes of any other member. */
  readonly faults: readonly Fault[];
  /** The managed fields that the patch sets; null when it removes all of them, absent when it keeps them. */
  readonly setManagers?: JsonText | null;
}

/** The replacement that a patch amounts to, or null when it changes nothing. */
export function patchDocument(
  patch: Patch,
  stored: Resource,
  {
    apiVersion,
    limitBytes,
    setsManagers = false,
  }: {
    readonly apiVersion: string;
    readonly limitBytes: number;
    /** Whether the patch may change `metadata.managedFields`. */
    readonly setsManagers?: boolean;
  },
): PatchedDocument | null {
  const before = parseValue(renderEnvelope(stored, apiVersion)) as JsonObject;
  const after = patch(parseValue(renderEnvelope(stored, apiVersion)), stored);
  if (!(after instanceof Map)) throw invalid([{ path: '', message: 'must be an object' }]);
  const metadata = after.get('metadata');
  if (!(metadata instanceof Map)) throw invalid([{ path: '/metadata', message: 'must be an object' }]);
  const revision = metadata.get('revision');
  if (revision === undefined || revision === 'null') metadata.set('revision', String(stored.revision));
  if (equalValues(before, after)) return null;
  const isStale = !equalValues(metadata.get('revision'), String(stored.revision));
  const managers = setsManagers ? managersOf(before, metadata) : {};
  const faults = isStale ? [] : changedFaults(before, after, setsManagers);
  const text = bodyText(before, after, stored);
  if (new TextEncoder().encode(text).length > limitBytes) {
    throw new Problem('payload_too_large', `The patched resource has more than ${limitBytes} bytes.`);
  }
  return { body: parseDocument(text), faults, ...managers };
}

/** The levels above the deepest fields of an entry. */
const levelsOfManagers = 4;

function managersOf(before: JsonObject, metadata: JsonObject): Pick<PatchedDocument, 'setManagers'> {
  const managers = metadata.get('managedFields');
  if (equalValues((before.get('metadata') as JsonObject).get('managedFields'), managers)) return {};
  if (managers === undefined) return { setManagers: null };
  const setManagers = renderValue(managers);
  parseDocument(setManagers, { levelsAbove: levelsOfManagers });
  return { setManagers };
}

function changedFaults(before: JsonObject, after: JsonObject, setsManagers: boolean): Fault[] {
  const kept = setsManagers ? new Set([...changeable, 'managedFields']) : changeable;
  const compared = new Set(['apiVersion', 'kind', 'metadata', 'spec']);
  const inMetadata = (document: JsonObject) => document.get('metadata') as JsonObject;
  return [
    ...changedMembers(before, after, compared, []),
    ...changedMembers(inMetadata(before), inMetadata(after), kept, ['metadata']),
  ];
}

function changedMembers(
  before: JsonObject,
  after: JsonObject,
  except: ReadonlySet<string>,
  at: readonly string[],
): Fault[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].filter((key) => !except.has(key));
  return keys
    .filter((key) => !equalValues(before.get(key), after.get(key)))
    .map((key) => ({ path: jsonPointer([...at, key]), message: 'cannot be changed by a patch' }));
}

/** Only what a replacement may say. A spec with the same value keeps its text, and so its white space. */
function bodyText(before: JsonObject, after: JsonObject, stored: Resource): JsonText {
  const { apiVersion, kind, metadata, spec = new Map() } = Object.fromEntries(after);
  const kept = [...(metadata as JsonObject)].filter(([key]) => changeable.has(key));
  const named: JsonObject = new Map([['name', JSON.stringify(stored.name)], ...kept]);
  const members = Object.entries({ apiVersion, kind, metadata: named })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}":${renderValue(value as JsonValue)},`);
  const text = equalValues(before.get('spec'), spec) ? stored.spec : renderValue(spec);
  return `{${members.join('')}"spec":${text}}`;
}

/**
 * The new value of a status slot, or null when the patch removes it. `slot` is null while the slot is absent: then a patch sees `{}`,
 * and the slot stays absent unless the patch changes or replaces that.
 */
export function patchSlot(patch: Patch, slot: JsonText | null, stored: Resource): JsonText | null {
  const absent: JsonObject = new Map();
  const status = slot === null ? absent : parseValue(slot);
  const after = patch(new Map([['status', status]]), stored);
  if (!(after instanceof Map)) throw invalid([{ path: '', message: 'must be an object' }]);
  const faults = [...after.keys()]
    .filter((key) => key !== 'status')
    .map((key) => ({ path: jsonPointer([key]), message: 'cannot be changed by a patch of the status' }));
  if (faults.length > 0) throw invalid(faults);
  const value = after.get('status');
  if (value === undefined) return null;
  if (value === absent && absent.size === 0) return null;
  const text = renderValue(value);
  parseDocument(`{"status":${text}}`);
  return text;
}
