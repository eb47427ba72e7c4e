import { Problem } from '@platform/kernel';
import { json } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { problemAnswer } from '../../http/send-problem.ts';

/** `GET /healthz`: 200 while the process takes requests, whatever else is wrong. */
export const healthz = endpoint({
  method: 'GET',
  path: '/healthz',
  id: 'getHealth',
  tag: 'Operations',
  summary: 'Say that the process lives',
  access: 'public',
  unlimited: 'a constant text; probes must never be refused',
  responses: {
    200: { description: 'The process takes requests.', schema: ref('Health'), example: { status: 'ok' } },
  },
  handle: () => json(200, { status: 'ok' }),
});

/** Whether the service can serve. */
export interface Readiness {
  /** Must return why not, in words for an operator without addresses or credentials; [] when it can. Must not throw. */
  reasons(): Promise<readonly string[]>;
}

/** `GET /readyz`: database reachable, migrated and bootstrapped; else 503 with every reason. */
export const readyz = endpoint({
  method: 'GET',
  path: '/readyz',
  id: 'getReadiness',
  tag: 'Operations',
  summary: 'Say whether the service can serve',
  access: 'public',
  unlimited:
    'all requests that arrive together share one check of the database; probes must never be refused',
  responses: {
    200: { description: 'The service can serve.', schema: ref('Health'), example: { status: 'ready' } },
  },
  async handle({ readiness }: { readonly readiness: Readiness }, _input, call) {
    const reasons = await readiness.reasons();
    if (reasons.length === 0) return json(200, { status: 'ready' });
    // Not thrown: probes ask every few seconds, and each refusal would be a line in the log.
    return problemAnswer(
      new Problem('unavailable', reasons.join('; '), { members: { reasons } }),
      call.context,
    );
  },
});
