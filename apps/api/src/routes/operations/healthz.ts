import { answerJson } from '../../http/answer.ts';
import type { Route } from '../route.ts';

/** `GET /healthz`: the process lives and takes requests; says nothing of what it depends on. */
export function healthz(): Route {
  return {
    method: 'GET',
    path: '/healthz',
    access: 'public',
    handle: (_request, response) => answerJson(response, 200, { status: 'ok' }),
  };
}
