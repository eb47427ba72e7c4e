import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { type JsonObject, type JsonValue, parseDocument, parseValue } from '@platform/resources';
import { type Field, type Message, messages, type Scalar } from './messages.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const decodeUtf8 = (bytes: Uint8Array) => utf8.decode(bytes);

/** The JSON object of an encoded message. Messages do not contain themselves, so the depth is bounded. Throws for bytes that are not one. */
export function decodeMessage(bytes: Uint8Array, message: Message): JsonObject {
  const object: JsonObject = new Map();
  const reader = new BinaryReader(bytes, decodeUtf8);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const field = message.get(number);
    if (field === undefined) reader.skip(wireType, number);
    else readField(reader, wireType, field, object);
  }
  return object;
}

function readField(reader: BinaryReader, wireType: WireType, field: Field, object: JsonObject): void {
  const { name, type, form } = field;
  if (wireType !== (form === 'map' ? WireType.LengthDelimited : wireTypeOf(type)))
    throw new Error(`${name} has another type`);
  if (form === 'map') {
    const [key, value] = readEntry(reader.bytes(), type);
    const map = object.get(name) ?? new Map<string, JsonValue>();
    if (map instanceof Map) object.set(name, map.set(key, value));
    return;
  }
  const value = readValue(reader, type);
  if (form === 'repeated') {
    const list = object.get(name);
    if (Array.isArray(list)) list.push(value);
    else object.set(name, [value]);
  } else if (field.keepsZero || !zeros.includes(value as string)) object.set(name, value);
}

const zeros = ['""', '0', 'false', 'null'];

/** A map is a list of entries with the key as field 1 and the value as field 2. */
function readEntry(bytes: Uint8Array, type: string): [key: string, value: JsonValue] {
  const reader = new BinaryReader(bytes, decodeUtf8);
  let key = '';
  let value: JsonValue = '""';
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 1 && wireType === WireType.LengthDelimited) key = reader.string();
    else if (number === 2 && wireType === WireType.LengthDelimited) value = readValue(reader, type);
    else reader.skip(wireType, number);
  }
  return [key, value];
}

function wireTypeOf(type: string): WireType {
  return ['bool', 'int32', 'int64'].includes(type) ? WireType.Varint : WireType.LengthDelimited;
}

function readValue(reader: BinaryReader, type: Field['type']): JsonValue {
  switch (type as Scalar) {
    case 'string':
      return JSON.stringify(reader.string());
    case 'bytes':
      return JSON.stringify(toBase64(reader.bytes()));
    case 'bool':
      return String(reader.bool());
    case 'int32':
      return String(reader.int32());
    case 'int64':
      return String(reader.int64());
    case 'time':
    case 'microtime':
      return readTime(reader.bytes(), type === 'microtime');
    case 'json':
      return readJson(decodeUtf8(reader.bytes()));
    default:
      return unwrapped(decodeMessage(reader.bytes(), messages[type] as Message));
  }
}

/** FieldsV1 is the JSON that it contains. */
function unwrapped(object: JsonObject): JsonValue {
  return object.get('Raw') ?? object;
}

function readJson(text: string): JsonValue {
  parseDocument(text);
  return parseValue(text);
}

/** A time of RFC 3339, or null for the zero time of Go, which is an empty message. */
function readTime(bytes: Uint8Array, isMicro: boolean): JsonValue {
  const reader = new BinaryReader(bytes);
  let [seconds, nanos] = [0, 0];
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (wireType !== WireType.Varint) throw new Error('a time has another type');
    if (number === 1) seconds = Number(reader.int64());
    else if (number === 2) nanos = reader.int32();
    else reader.skip(wireType, number);
  }
  if (bytes.length === 0) return 'null';
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  const micros = String(Math.floor(nanos / 1000)).padStart(6, '0');
  return JSON.stringify(isMicro ? `${text}.${micros}Z` : `${text}Z`);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
