import type { JsonText } from '@platform/resources';
import { jsonValueOf, membersOf } from '../definitions/values.ts';
import { componentsOf } from './components.ts';
import { byDocument, type OpenApiEntry, type OpenApiFormat } from './kinds.ts';
import { metaSchemas } from './meta-schemas.ts';
import { type Format, pathsOf } from './paths.ts';

const ref = (component: string) => ({ $ref: `#/components/schemas/${component}` });
const contents = (schema: object, types: readonly string[]) => ({
  content: Object.fromEntries(types.map((type) => [type, { schema }])),
});

const format: Format = {
  ref,
  parameter: (name, place, type) => ({
    name,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  }),
  messages: (sent, answered, sentTypes) => ({
    ...(sent === null ? {} : { requestBody: contents(sent, sentTypes) }),
    responses: { '200': { description: 'OK', ...contents(answered, ['application/json']) } },
  }),
};

/** `/openapi/v3`: where the document of each group and version is. `hash` makes the URL of a document that may be cached without end. */
export function openApiIndex(kinds: readonly OpenApiEntry[], hash: (text: string) => string): JsonText {
  const paths = Object.fromEntries(
    [...byDocument(kinds)].map(([path, served]) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${documentHash(served, hash)}` },
    ]),
  );
  return JSON.stringify({ paths });
}

/** The hash of the document of these kinds. Documents are only made when they are asked for. */
export function documentHash(kinds: readonly OpenApiEntry[], hash: (text: string) => string): string {
  const texts = kinds.map(({ kind, plural, fingerprint }) => `${kind} ${plural} ${fingerprint}`);
  return hash(texts.sort().join('\n'));
}

/** The document of the kinds of one group and version. */
export const openApiV3: OpenApiFormat = {
  head(version) {
    return `{"openapi":"3.0.0","info":${JSON.stringify({ title: 'Kubernetes', version })},"paths":{`;
  },
  paths: (kind) => pathsOf(kind, format),
  between: `},"components":{"schemas":{${membersOf(jsonValueOf(metaSchemas(ref)))}`,
  schemas: (kind) => membersOf(componentsOf(kind, ref)),
  end: '}}}',
};
