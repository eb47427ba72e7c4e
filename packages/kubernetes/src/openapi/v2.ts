import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { JsonObject, JsonValue } from '@platform/resources';
import { isTrue, jsonValueOf, membersOf, objectOf } from '../definitions/values.ts';
import { componentsOf } from './components.ts';
import type { OpenApiFormat } from './kinds.ts';
import { metaSchemas } from './meta-schemas.ts';
import { type Format, pathsOf } from './paths.ts';

const ref = (component: string) => ({ $ref: `#/definitions/${component}` });

const format: Format = {
  ref,
  parameter: (name, place, type) => ({
    name,
    in: place,
    type,
    ...(place === 'path' ? { required: true } : {}),
    uniqueItems: true,
  }),
  messages: (sent, answered, sentTypes) => ({
    ...(sent === null ? {} : { consumes: sentTypes }),
    produces: ['application/json'],
    responses: { '200': { description: 'OK', schema: answered } },
  }),
};

/** Keywords that Swagger 2.0 does not have. */
const unknownKeywords = ['nullable', 'anyOf', 'oneOf', 'not', 'allOf'];

/** The document of all kinds. */
export const openApiV2: OpenApiFormat = {
  head(version) {
    return `{"swagger":"2.0","info":${JSON.stringify({ title: 'Kubernetes', version })},"paths":{`;
  },
  paths: (kind) => pathsOf(kind, format),
  between: `},"definitions":{${membersOf(jsonValueOf(metaSchemas(ref)))}`,
  schemas: (kind) => membersOf(componentsOf(kind, ref, toSwagger)),
  end: '}}',
};

/**
 * The document in protobuf (gnostic's `openapi.v2.Document`), without kinds: kubectl reads it when version 3 does not have a kind, to find out
 * that no version has it.
 */
export function openApiV2Protobuf(version: string): Uint8Array {
  const text = (writer: BinaryWriter, number: number, value: string) =>
    writer.tag(number, WireType.LengthDelimited).string(value);
  const info = new BinaryWriter();
  text(info, 1, 'Kubernetes');
  text(info, 2, version);
  const document = new BinaryWriter();
  text(document, 1, '2.0');
  return document.tag(2, WireType.LengthDelimited).bytes(info.finish()).finish();
}

/** A structural schema as Kubernetes publishes it in Swagger 2.0: what that cannot say accepts everything. */
function toSwagger(schema: JsonObject): JsonObject {
  const open = isTrue(schema.get('x-kubernetes-preserve-unknown-fields')) || isTrue(schema.get('nullable'));
  const dropped = open ? [...unknownKeywords, 'type', 'properties', 'items'] : unknownKeywords;
  const result: JsonObject = new Map();
  for (const [keyword, value] of schema) {
    if (dropped.includes(keyword)) continue;
    if (keyword === 'properties')
      result.set(keyword, new Map(Array.from(objectOf(value) ?? [], ([name, part]) => [name, below(part)])));
    else if (keyword === 'items' || keyword === 'additionalProperties') result.set(keyword, below(value));
    else result.set(keyword, value);
  }
  return result;
}

function below(value: JsonValue): JsonValue {
  const schema = objectOf(value);
  return schema === undefined ? value : toSwagger(schema);
}
