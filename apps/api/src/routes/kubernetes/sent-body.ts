import { isUtf8 } from 'node:buffer';
import { duplicateFields, invalid, Problem } from '@platform/kernel';
import {
  applyDefaults,
  checkFields,
  decodeProtobuf,
  type KubernetesKind,
  knownFields,
  listKeyFaults,
  protobufMediaType,
  pruneUnknown,
  readFieldValidation,
  type SentObject,
  toSentObject,
  withSecretType,
} from '@platform/kubernetes';
import {
  equalValues,
  type JsonObject,
  type JsonText,
  type JsonValue,
  parseDocument,
  parseValue,
  stringOf,
} from '@platform/resources';
import type { Call } from '../../endpoint/call.ts';
import { yamlToJson } from '../../http/yaml.ts';
import { bodyLimitFor } from '../resources/call.ts';
import { DuplicateKeys } from './duplicate-keys.ts';
import { nativePath } from './native-call.ts';
import { isBuiltIn, type KubernetesDeps, type ObjectRequest, warn } from './object-request.ts';

/** The media types of objects. */
const jsonTypes = ['application/json', 'application/yaml'] as const;
/** The media types of objects of built-in kinds. */
const builtInTypes = [...jsonTypes, protobufMediaType] as const;

/** Reads the body of a write as JSON text, which is empty when there is none. */
export async function bodyOf(
  { bodyLimitBytes }: Pick<KubernetesDeps, 'bodyLimitBytes'>,
  { call, kind }: Pick<ObjectRequest, 'call' | 'kind'>,
): Promise<JsonText> {
  const { 'content-length': length, 'transfer-encoding': encoding } = call.headers;
  if ((length === undefined || length === '0') && encoding === undefined) return '';
  return await builtInBody(
    call,
    limitOfBody(kind, bodyLimitBytes),
    isBuiltIn(kind) || call.method === 'DELETE' ? builtInTypes : jsonTypes,
  );
}

/** The most bytes of an object or a patch. */
export function limitOfBody(kind: KubernetesKind, configured: number): number {
  return bodyLimitFor(nativePath({ method: 'POST', kind, namespace: null }), configured);
}

/**
 * Reads the body of a kind of Kubernetes itself as JSON text. A body that does not say what it is, is JSON, as in Kubernetes: `kubectl create
 * --raw` and `kubectl replace --raw` send such bodies.
 */
export async function builtInBody(
  call: Call,
  limit: number,
  types: readonly (typeof builtInTypes)[number][] = builtInTypes,
): Promise<JsonText> {
  const { mediaType, bytes } = await call.typedBytes(types, limit, 'application/json');
  if (mediaType === protobufMediaType) return decodeProtobuf(bytes);
  const text = utf8Of(bytes);
  return mediaType === 'application/yaml' ? yamlToJson(text) : text;
}

/** The text of a body. Throws `malformed_body` for bytes that are not UTF-8. */
export function utf8Of(bytes: Buffer): JsonText {
  if (!isUtf8(bytes)) throw new Problem('malformed_body', 'The body is not valid UTF-8.');
  return bytes.toString('utf8');
}

/** A body with the fields that it has more than once; the last one counts, as in Kubernetes. Throws `malformed_body`. */
function readSent(text: JsonText): { readonly value: JsonValue; readonly duplicate: readonly string[] } {
  parseDocument(text, { duplicateKeys: true });
  return { value: parseValue(text), duplicate: duplicateFields(text) };
}

/** Reads an object, with the defaults of its kind and without the fields that the kind does not have. */
export function sentObject(request: ObjectRequest, text: JsonText): SentObject {
  if (text === '') throw new Problem('malformed_body', 'the body is empty');
  const { value, duplicate } = readSent(text);
  nameRefusals(request, value);
  return completed(request, value, { duplicate });
}

/** Tells refusals of a create the name that the object has, before anything is wrong with it. */
function nameRefusals({ path, named }: ObjectRequest, value: JsonValue): void {
  const metadata = value instanceof Map ? value.get('metadata') : undefined;
  const name = stringOf(metadata instanceof Map ? metadata.get('name') : undefined);
  if (path.name === null && name) named(name);
}

/** The object with its defaults. A resource always has a spec: one that is left out is empty, and rules find the defaults of its members. */
function withDefaultsOfSpec(schema: JsonObject, object: JsonObject): JsonValue {
  const filled = applyDefaults(schema, object);
  if (!(filled instanceof Map) || (filled.get('spec') ?? 'null') !== 'null') return filled;
  return applyDefaults(schema, new Map(filled).set('spec', new Map()));
}

/**
 * The value without the fields that the version does not have which the request names, and their names. Reads show the fields of other
 * versions, so a patch of `before` and an update may send back those of the stored version.
 */
function withoutUnknown(
  { call, kind, schemas, namedSchemas }: ObjectRequest,
  value: JsonValue,
  before?: JsonValue | undefined,
): { readonly object: JsonValue; readonly unknown: readonly string[] } {
  const named = namedSchemas.object ?? knownFields(kind);
  const stored = schemas.object ?? knownFields(kind);
  // A version without a schema knows every field.
  const everything = { object: value, unknown: [] };
  if (named === null || !(value instanceof Map)) return everything;
  const byNamed = pruneUnknown([named], value);
  const sendsBack = before !== undefined || call.method === 'PUT';
  if (!sendsBack || stored === named) return { ...byNamed, unknown: newIn(byNamed.unknown, named, before) };
  const byBoth = stored === null ? everything : pruneUnknown([named, stored], value);
  const { unknown } = before === undefined ? byBoth : byNamed;
  return { object: byBoth.object, unknown: newIn(unknown, named, before) };
}

/** The unknown fields that `before` does not have. A patch is not to blame for the others. */
function newIn(
  unknown: readonly string[],
  schema: JsonObject,
  before: JsonValue | undefined,
): readonly string[] {
  const known = new Set(before instanceof Map ? pruneUnknown([schema], before).unknown : []);
  return unknown.filter((field) => !known.has(field));
}

/** Completes a value that a patch has made of the object `before`, as {@link sentObject} does. */
export function completed(
  request: ObjectRequest,
  value: JsonValue,
  {
    before,
    duplicate = [],
  }: { readonly before?: JsonValue | undefined; readonly duplicate?: readonly string[] } = {},
): SentObject {
  const { kind, schemas } = request;
  const schema = schemas.object;
  const { object: pruned, unknown } = withoutUnknown(request, value, before);
  let object = pruned;
  if (schema !== null && object instanceof Map) {
    object = withDefaultsOfSpec(schema, object);
    const faults = listKeyFaults(schema, object);
    if (faults.length > 0) throw new DuplicateKeys(faults, object);
  }
  const read = toSentObject(object, kind);
  const sent = { ...read, spec: withSecretType(read.spec, kind) };
  const shown = before instanceof Map ? before.get('status') : undefined;
  warnOf(request, sent, { unknown, duplicate, shown });
  return sent;
}

/** Warns of fields that the kind does not have, or refuses them, and of a status that is not written. */
function warnOf(
  { call, kind, path, query }: ObjectRequest,
  { status, unknownFields }: SentObject,
  {
    unknown,
    duplicate,
    shown,
  }: {
    readonly unknown: readonly string[];
    readonly duplicate: readonly string[];
    readonly shown?: JsonValue | undefined;
  },
): void {
  const fields = { unknown: [...new Set([...unknown, ...unknownFields])], duplicate };
  const warnings = [...checkFields(readFieldValidation(query.get('fieldValidation')), fields)];
  const isSaid = status instanceof Map && status.size > 0 && !equalValues(status, shown);
  if (kind.hasPlainStatus && path.subresource === null && isSaid) warnings.push(statusWarning);
  if (warnings.length > 0) warn({ call, kind }, warnings);
}

/** The definition of the kind lets its clients expect that they write the status with the object. */
const statusWarning = '"status" was left as it is: write it to the subresource "status"';

/** The object that a configuration of a server-side apply says; defaults are not its fields. */
export function configurationOf(request: ObjectRequest, text: JsonText): SentObject {
  const { schemas, kind } = request;
  const { value, duplicate } = readSent(text);
  const { object, unknown } = withoutUnknown(request, value);
  const faults = schemas.object === null ? [] : listKeyFaults(schemas.object, object);
  if (faults.length > 0) throw invalid(faults, 'schema_violation');
  const sent = toSentObject(object, kind);
  warnOf(request, sent, { unknown, duplicate });
  return sent;
}
