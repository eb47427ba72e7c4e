import { createHash } from 'node:crypto';
import { Problem } from '@platform/kernel';
import {
  apiVersionOf,
  builtInSchema,
  byDocument,
  documentHash,
  type OpenApiKind,
  type OpenApiV2Part,
  objectSchema,
  openApiIndex,
  openApiV2,
  openApiV2Part,
  openApiV2Protobuf,
  openApiV3,
  qualifiedName,
  type ServedResource,
  servedResources,
} from '@platform/kubernetes';
import { type JsonObject, type JsonValue, parseValue, type Resource } from '@platform/resources';
import { LRUCache } from 'lru-cache';
import type { Answer } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import type { KubernetesDeps } from './object-request.ts';

/** Characters of documents and parts that are kept: those that are asked for again after every start of a client. */
const keptLength = 64 * 1024 * 1024;
const documents = new LRUCache<string, string>({
  maxSize: keptLength,
  sizeCalculation: ({ length }) => length,
});
const parts = new LRUCache<string, OpenApiV2Part>({
  maxSize: keptLength,
  sizeCalculation: ({ paths, definitions }) => paths.length + definitions.length,
});

/** Of the documents: it changes with the schemas of built-in kinds. */
const documentVersion = 'v1.35.0';

const hash = (text: string) => createHash('sha256').update(text).digest('hex').toUpperCase();

/** `/openapi/v2`, `/openapi/v3` and the documents below it. Throws `unknown_endpoint`. */
export async function openApiAnswer(
  deps: KubernetesDeps,
  call: Call,
  segments: readonly string[],
): Promise<Answer> {
  const [, format, ...place] = segments;
  const { accept } = call.headers;
  if (format === 'v2' && !acceptsJson(accept) && accept?.includes(v2Protobuf)) return v2WithoutKinds;
  if (!acceptsJson(accept)) return notAcceptable;
  if (format !== 'v2' && format !== 'v3') throw unknown();
  const kinds = await openApiKinds(deps);
  if (format === 'v2') return v2Answer(kinds);
  if (place.length === 0) return answer(openApiIndex(kinds, hash));
  return v3Answer(byDocument(kinds).get(place.join('/')), call.searchParams.get('hash'));
}

function v2Answer(kinds: readonly OpenApiKind[]): Answer {
  const version = documentHash(kinds, hash);
  const kept = documents.get(version);
  if (kept !== undefined) return answer(kept, { ETag: `"${version}"` });
  const text = openApiV2(kinds.map(partOf), documentVersion);
  documents.set(version, text);
  return answer(text, { ETag: `"${version}"` });
}

function partOf(kind: OpenApiKind): OpenApiV2Part {
  const key = `${apiVersionOf(kind)} ${kind.plural} ${kind.fingerprint}`;
  const part = parts.get(key) ?? openApiV2Part(kind);
  parts.set(key, part);
  return part;
}

/** A URL with the hash of the document that it answers never answers another one. */
function v3Answer(kinds: readonly OpenApiKind[] | undefined, asked: string | null): Answer {
  if (kinds === undefined) throw unknown();
  const version = documentHash(kinds, hash);
  const text = documents.get(version) ?? openApiV3(kinds, documentVersion);
  documents.set(version, text);
  const lasting = asked === version ? { 'Cache-Control': 'private, immutable, max-age=31536000' } : {};
  return answer(text, { ETag: `"${version}"`, ...lasting });
}

function answer(body: string, headers: Record<string, string> = {}): Answer {
  return { status: 200, body, contentType: 'application/json', headers };
}

function unknown(): Problem {
  return new Problem('unknown_endpoint', 'the server could not find the requested resource');
}

const v2Protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

const v2WithoutKinds: Answer = {
  status: 200,
  // Clients in Go cannot parse the name that they ask for.
  contentType: v2Protobuf.replace('@', '.'),
  body: Buffer.from(openApiV2Protobuf(documentVersion)),
};

/** The other documents are made as JSON only. */
const notAcceptable: Answer = {
  status: 406,
  contentType: 'application/json',
  body: JSON.stringify({
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotAcceptable' },
    message: 'only the following media types are accepted: application/json',
    code: 406,
  }),
};

function acceptsJson(accept = '*/*'): boolean {
  return accept.split(',').some((range) => /^\s*(?:\*\/\*|application\/(?:\*|json))\s*(?:;|$)/.test(range));
}

/** Every kind that is served, with its schema. */
async function openApiKinds({ directory }: KubernetesDeps): Promise<readonly OpenApiKind[]> {
  const described = await directory.described();
  const definitions = new Map(described.map(({ kind, definition }) => [qualifiedName(kind), definition]));
  return servedResources(described.map(({ kind }) => kind)).map((resource) => {
    const row = definitions.get(qualifiedName(resource)) ?? null;
    return row === null ? builtIn(resource) : registered(resource, row);
  });
}

function registered(resource: ServedResource, row: Resource): OpenApiKind {
  return {
    ...common(resource),
    isBuiltIn: false,
    fingerprint: `${row.uid} ${row.revision}`,
    schema() {
      const spec = parseValue(row.spec) as JsonObject;
      const versions = (spec.get('versions') ?? []) as readonly JsonObject[];
      const version = versions.find((one) => one.get('name') === JSON.stringify(resource.version));
      return objectSchema(version?.get('schema') as JsonValue | undefined, spec.get('description'));
    },
  };
}

function builtIn(resource: ServedResource): OpenApiKind {
  return {
    ...common(resource),
    isBuiltIn: true,
    fingerprint: documentVersion,
    schema: () => builtInSchema(apiVersionOf(resource), resource.kind),
  };
}

function common({ group, version, kind, plural, namespaced, verbs, subresources }: ServedResource) {
  const hasStatus = subresources.some(({ name }) => name === 'status');
  const writes = verbs.includes('update') ? ('all' as const) : ('read' as const);
  return {
    ...{ group, version, kind, plural, isNamespaced: namespaced, hasStatus },
    verbs: verbs.length === 1 && verbs[0] === 'create' ? ('create' as const) : writes,
  };
}
