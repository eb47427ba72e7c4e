import { json } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';

/** `GET /healthz`: 200 while the process takes requests, whatever else is wrong. */
export const healthz = endpoint({
  method: 'GET',
  path: '/healthz',
  id: 'getHealth',
  tag: 'Operations',
  summary: 'Say that the process lives',
  access: 'public',
  unlimited: 'a constant text; probes must never be refused',
  responses: { 200: { description: 'It does.', schema: ref('Health'), example: { status: 'ok' } } },
  handle: () => json(200, { status: 'ok' }),
});
