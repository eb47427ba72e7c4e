import { Problem } from '@platform/kernel';
import { answerJson } from '../../http/answer.ts';
import { answerProblem } from '../../http/problem-answer.ts';
import type { Route } from '../route.ts';

/** Whether the service can serve. */
export interface Readiness {
  /** Must return why not, in words for an operator without addresses or credentials; [] when it can. Must not throw. */
  reasons(): Promise<readonly string[]>;
}

/** `GET /readyz`: database reachable, migrated and bootstrapped (contract 6); else 503 with every reason. */
export function readyz(readiness: Readiness): Route {
  return {
    method: 'GET',
    path: '/readyz',
    access: 'public',
    async handle(request, response) {
      const reasons = await readiness.reasons();
      if (reasons.length === 0) answerJson(response, 200, { status: 'ready' });
      // Not thrown: probes ask every few seconds, and each refusal would be a line in the log.
      else
        answerProblem(
          request,
          response,
          new Problem('unavailable', reasons.join('; '), { members: { reasons } }),
        );
    },
  };
}
