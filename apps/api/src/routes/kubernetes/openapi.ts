import { createHash } from 'node:crypto';
import { Problem } from '@platform/kernel';
import {
  apiVersionOf,
  builtInKinds,
  builtInSchema,
  byDocument,
  documentPath,
  type KubernetesKind,
  type OpenApiKind,
  objectSchema,
  openApiIndex,
  openApiV2,
  openApiV2Part,
  openApiV3,
} from '@platform/kubernetes';
import { parseValue } from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import type { KubernetesDeps } from './object-request.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex').toUpperCase();

/** `/openapi/v2`, `/openapi/v3` and the documents below it. Throws `unknown_endpoint`. */
export async function openApiAnswer(deps: KubernetesDeps, segments: readonly string[]): Promise<Answer> {
  const kinds = await openApiKinds(deps);
  const [, form, ...rest] = segments;
  const plain = (body: string): Answer => ({ status: 200, body, contentType: 'application/json' });
  if (form === 'v2' && rest.length === 0)
    return plain(openApiV2(kinds.map(openApiV2Part), deps.softwareVersion));
  if (form === 'v3' && rest.length === 0) return plain(withPrefix(openApiIndex(kinds, hash)));
  const found = form === 'v3' ? byDocument(kinds).get(rest.join('/')) : undefined;
  if (found === undefined)
    throw new Problem('unknown_endpoint', 'the server could not find the requested resource');
  return plain(openApiV3(found, deps.softwareVersion));
}

/** Clients resolve the addresses against the host, so they need the prefix. */
function withPrefix(index: string): string {
  return index.replaceAll('"/openapi/v3/', '"/kubernetes/openapi/v3/');
}

async function openApiKinds({ directory }: KubernetesDeps): Promise<readonly OpenApiKind[]> {
  const registered = (await directory.described()).map(({ kind, schema }) =>
    documented(kind, hash(schema ?? ''), () =>
      objectSchema(schema === null ? undefined : parseValue(schema)),
    ),
  );
  const builtIn = builtInKinds.map((kind) =>
    documented(kind, kind.kind, () => builtInSchema(apiVersionOf(kind), kind.kind)),
  );
  return [...builtIn, ...registered].sort((a, b) => (documentPath(a) < documentPath(b) ? -1 : 1));
}

function documented(
  { group, version, kind, plural, depth, form }: KubernetesKind,
  fingerprint: string,
  schema: OpenApiKind['schema'],
): OpenApiKind {
  return {
    ...{ group, version, kind, plural, fingerprint, schema, verbs: 'all' },
    isNamespaced: depth > 0,
    hasStatus: form === 'resource',
    isBuiltIn: form !== 'resource',
  };
}
