import { type Endpoint, ref, type Schema } from '../endpoint.ts';

const shared = { tag: 'Operations', credential: 'none', method: 'get' } as const;
const text: Schema = { type: 'string' };
const etag = { ETag: 'Changes when the document does.' };

/** Health, metrics, and the documentation of the API itself. */
export function operationsEndpoints(): readonly Endpoint[] {
  return [
    {
      ...shared,
      path: '/healthz',
      id: 'getHealth',
      summary: 'Say that the process lives',
      answers: { 200: { description: 'It does.', schema: ref('Health'), example: { status: 'ok' } } },
    },
    {
      ...shared,
      path: '/readyz',
      id: 'getReadiness',
      summary: 'Say whether the service can serve',
      answers: { 200: { description: 'It can.', schema: ref('Health'), example: { status: 'ready' } } },
    },
    {
      ...shared,
      path: '/metrics',
      id: 'getMetrics',
      summary: 'Read the metrics, in the text format of Prometheus',
      answers: {
        200: {
          description: 'Metrics.',
          schema: text,
          mediaType: 'text/plain',
          example:
            '# TYPE platform_api_tokens_issued_total counter\nplatform_api_tokens_issued_total{kind="session"} 3\n',
        },
      },
    },
    {
      ...shared,
      path: '/openapi.json',
      id: 'getOpenApi',
      summary: 'Read this document',
      parameters: [
        {
          name: 'kinds',
          in: 'query',
          description: '`all`: with the registered kinds and their schemas. For operators.',
          schema: { type: 'string', enum: ['all'] },
        },
      ],
      answers: {
        200: {
          description: 'An OpenAPI 3.1 document.',
          schema: { type: 'object' },
          example: { openapi: '3.1.1', info: { title: 'Platform API', version: '0.24.0' }, paths: {} },
          headers: etag,
        },
        304: { description: 'Unchanged since the `ETag` of `If-None-Match`.' },
      },
      problems: ['invalid_query', 'unauthenticated', 'forbidden', 'contention'],
    },
    {
      ...shared,
      path: '/docs',
      id: 'getDocs',
      summary: 'Read this document as a page',
      answers: { 200: { description: 'A page.', schema: text, mediaType: 'text/html' } },
    },
    {
      ...shared,
      path: '/docs/{asset}',
      id: 'getDocsAsset',
      summary: 'Read a file of that page',
      answers: {
        200: { description: 'A style sheet, a script or a picture.' },
        304: { description: 'Unchanged since the `ETag` of `If-None-Match`.' },
      },
      problems: ['not_found', 'malformed_path'],
    },
  ];
}
