import { BinaryReader } from '@bufbuild/protobuf/wire';
import { Problem } from '@platform/kernel';
import { type JsonObject, type JsonText, renderValue } from '@platform/resources';
import { decodeMessage } from './decode-message.ts';
import { messageOfKind, messages } from './messages.ts';

/** The media type of bodies that this reads. */
export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

/** `k8s` and a zero byte. */
const magic = [0x6b, 0x38, 0x73, 0x00];

/**
 * The JSON text of a body that a client of Kubernetes sent as protobuf. The text is as untrusted as any body: it may contain what JSON can
 * say and the platform does not store. Throws `malformed_body` for what is not such a body, and `unsupported_media_type` for other kinds.
 */
export function decodeProtobuf(body: Uint8Array): JsonText {
  const { apiVersion, kind, raw } = wrapped(() => readEnvelope(body));
  const name = kind === 'DeleteOptions' ? 'DeleteOptions' : messageOfKind.get(`${apiVersion} ${kind}`);
  const message = name === undefined ? undefined : messages[name];
  if (message === undefined) {
    throw new Problem(
      'unsupported_media_type',
      `${apiVersion} ${kind} is not read as ${protobufMediaType}; send application/json.`,
    );
  }
  const decoded = wrapped(() => decodeMessage(raw, message));
  const object: JsonObject = new Map([
    ['apiVersion', JSON.stringify(apiVersion)],
    ['kind', JSON.stringify(kind)],
    ...decoded,
  ]);
  return renderValue(object);
}

/** `runtime.Unknown`: the type of an object, and the object. */
function readEnvelope(body: Uint8Array): { apiVersion: string; kind: string; raw: Uint8Array } {
  if (magic.some((byte, index) => body[index] !== byte)) throw new Error('the prefix k8s is missing');
  let [apiVersion, kind, encoding] = ['', '', ''];
  let raw = new Uint8Array();
  const reader = new BinaryReader(body.subarray(magic.length));
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (wireType !== 2) reader.skip(wireType, number);
    else if (number === 1) [apiVersion, kind] = readType(reader.bytes());
    else if (number === 2) raw = new Uint8Array(reader.bytes());
    else if (number === 3) encoding = reader.string();
    else reader.skip(wireType, number);
  }
  if (encoding !== '') throw new Error('the object has a content encoding');
  return { apiVersion, kind, raw };
}

function readType(bytes: Uint8Array): [apiVersion: string, kind: string] {
  const type: [string, string] = ['', ''];
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (wireType === 2 && (number === 1 || number === 2)) type[number - 1] = reader.string();
    else reader.skip(wireType, number);
  }
  return type;
}

function wrapped<Result>(decode: () => Result): Result {
  try {
    return decode();
  } catch {
    throw new Problem('malformed_body', `The body is not valid ${protobufMediaType}.`);
  }
}
