import { type JsonText, renderValue } from '@platform/resources';
import { exact, members } from '../definitions/values.ts';
import { componentsOf } from './components.ts';
import { byDocument, type OpenApiKind } from './kinds.ts';
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

/** `/openapi/v3`: where the document of each group and version is. `hash` makes the URL of a document that may be cached for ever. */
export function openApiIndex(kinds: readonly OpenApiKind[], hash: (text: string) => string): JsonText {
  const paths = Object.fromEntries(
    [...byDocument(kinds)].map(([path, served]) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${documentHash(served, hash)}` },
    ]),
  );
  return JSON.stringify({ paths });
}

/** The hash of the document of these kinds. Documents are only made when they are asked for. */
export function documentHash(kinds: readonly OpenApiKind[], hash: (text: string) => string): string {
  const texts = kinds.map(({ kind, plural, fingerprint }) => `${kind} ${plural} ${fingerprint}`);
  return hash(texts.sort().join('\n'));
}

/** The OpenAPI v3 document of the kinds of one group and version. */
export function openApiV3(kinds: readonly OpenApiKind[], version: string): JsonText {
  const schemas = new Map([
    ...kinds.flatMap((kind) => [...componentsOf(kind, ref)]),
    ...(exact(metaSchemas(ref)) as ReturnType<typeof members>),
  ]);
  const document = members({
    openapi: exact('3.0.0'),
    info: exact({ title: 'Kubernetes', version }),
    paths: exact(Object.assign({}, ...kinds.map((kind) => pathsOf(kind, format)))),
    components: members({ schemas }),
  });
  return renderValue(document);
}
