import { endpoint } from '../../endpoint/descriptor.ts';
import type { Metrics } from '../../http/metrics.ts';

/** `GET /metrics`, in the Prometheus text format. */
export const metrics = endpoint({
  method: 'GET',
  path: '/metrics',
  id: 'getMetrics',
  tag: 'Operations',
  summary: 'Read the metrics, in the text format of Prometheus',
  access: 'public',
  limit: 'work',
  problems: ['rate_limited'],
  responses: {
    200: {
      description: 'Metrics.',
      schema: { type: 'string' },
      mediaType: 'text/plain',
      example:
        '# TYPE platform_api_tokens_issued_total counter\nplatform_api_tokens_issued_total{kind="session"} 3\n',
    },
  },
  handle: async (deps: { readonly metrics: Pick<Metrics, 'render' | 'contentType'> }) => ({
    status: 200,
    body: await deps.metrics.render(),
    contentType: deps.metrics.contentType,
  }),
});
