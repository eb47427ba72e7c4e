import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Answer, Headers } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import type { Authorize } from '../../http/authorize.ts';
import { cacheable } from '../auth/jwks.ts';

/** The dependencies of the OpenAPI document. */
export interface OpenApiDeps {
  readonly authorize: Authorize;
  readonly openApi: {
    /** The document that is the same for everybody, as JSON; the same text each time. */
    readonly shared: () => string;
    /** The document with the registered kinds. */
    readonly withKinds: () => Promise<object>;
  };
}

interface Document {
  readonly text: string;
  readonly etag: string;
}

/** The last document for everybody, with its checksum. */
let shared: Document | undefined;

/**
 * `GET /openapi.json`: the document of the API, the same for everybody; with `?kinds=all`, for operators, that of the registered
 * kinds too.
 */
export const openApi = endpoint({
  method: 'GET',
  path: '/openapi.json',
  id: 'getOpenApi',
  tag: 'Operations',
  summary: 'Read this document',
  access: 'public',
  unlimited: 'a text in memory with its checksum; `kinds=all` is for operators',
  query: z.object({
    kinds: z
      .enum(['all'], 'must be all')
      .optional()
      .meta({ description: '`all`: with the registered kinds and their schemas. For operators.' }),
  }),
  responses: {
    200: {
      description: 'An OpenAPI 3.1 document.',
      schema: { type: 'object' },
      example: { openapi: '3.1.1', info: { title: 'Platform API', version: '0.24.0' }, paths: {} },
      headers: { ETag: 'Changes when the document does.' },
    },
    304: { description: 'Unchanged since the `ETag` of `If-None-Match`.' },
  },
  problems: ['invalid_query', 'unauthenticated', 'forbidden', 'contention'],
  async handle(deps: OpenApiDeps, { query }, call) {
    if (query.kinds === undefined) {
      const text = deps.openApi.shared();
      // The checksum of half a megabyte costs a millisecond, and anybody may ask.
      if (shared?.text !== text) shared = { text, etag: etagOf(text) };
      return documentAnswer(shared, cacheable);
    }
    // Definitions are for operators only, as in the generic API.
    await deps.authorize('operator', call);
    const text = JSON.stringify(await deps.openApi.withKinds());
    return documentAnswer({ text, etag: etagOf(text) }, { 'Cache-Control': 'private, no-cache' });
  },
});

function documentAnswer({ text, etag }: Document, headers: Headers): Answer {
  return { status: 200, body: text, headers: { ...headers, ETag: etag } };
}

function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}
