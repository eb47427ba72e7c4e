import { Problem } from '@platform/kernel';
import { openApiV2Protobuf } from '@platform/kubernetes';
import type { Answer } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import type { KubernetesDeps } from './object-request.ts';
import { documentVersion } from './openapi-documents.ts';

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
  const documents = deps.openApi;
  if (place.length === 0 && format === 'v3') return answer(await documents.index());
  const found = format === 'v2' ? await documents.v2() : await documents.v3(place.join('/'));
  if (found === null) throw unknown();
  const { text, version } = found;
  // A URL with the hash of the document that it answers never answers another one.
  const isLasting = format === 'v3' && call.searchParams.get('hash') === version;
  const lasting = isLasting ? { 'Cache-Control': 'private, immutable, max-age=31536000' } : {};
  return answer(text, { ETag: `"${version}"`, ...lasting });
}

function answer(body: string | AsyncIterable<string>, headers: Record<string, string> = {}): Answer {
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
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'NotAcceptable',
    message: 'only the following media types are accepted: application/json',
    code: 406,
  }),
};

function acceptsJson(accept = '*/*'): boolean {
  return accept.split(',').some((range) => /^\s*(?:\*\/\*|application\/(?:\*|json))\s*(?:;|$)/.test(range));
}
