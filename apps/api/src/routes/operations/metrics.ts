import { answer } from '../../http/answer.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { Route } from '../route.ts';

/** `GET /metrics`, in the Prometheus text format. */
export function metricsRoute(metrics: Pick<Metrics, 'render' | 'contentType'>): Route {
  return {
    method: 'GET',
    path: '/metrics',
    access: 'public',
    handle: async (_request, response) =>
      answer(response, 200, await metrics.render(), {}, metrics.contentType),
  };
}
