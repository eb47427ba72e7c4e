import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { type JsonObject, type JsonText, type JsonValue, renderValue } from '@platform/resources';
import { exact, isTrue, objectOf } from '../definitions/values.ts';
import { componentsOf } from './components.ts';
import type { OpenApiKind } from './kinds.ts';
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

/** The part of the OpenAPI v2 document that one kind adds. Parts of other kinds stay valid when this kind changes. */
export interface OpenApiV2Part {
  /** Members of `paths` and of `definitions`, as text without braces. */
  readonly paths: JsonText;
  readonly definitions: JsonText;
}

/** Makes the part of a kind. */
export function openApiV2Part(kind: OpenApiKind): OpenApiV2Part {
  return {
    paths: inner(exact(pathsOf(kind, format))),
    definitions: inner(componentsOf(kind, ref, toSwagger)),
  };
}

/** The OpenAPI v2 document of all kinds, from their parts. */
export function openApiV2(parts: readonly OpenApiV2Part[], version: string): JsonText {
  const paths = parts.map((part) => part.paths).join(',');
  const definitions = [...parts.map((part) => part.definitions), inner(exact(metaSchemas(ref)))].join(',');
  const info = JSON.stringify({ title: 'Kubernetes', version });
  return `{"swagger":"2.0","info":${info},"paths":{${paths}},"definitions":{${definitions}}}`;
}

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

function inner(object: JsonValue): JsonText {
  return renderValue(object).slice(1, -1);
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
