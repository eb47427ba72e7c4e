import { Problem } from '@platform/kernel';
import { type RequestedObject, statusOf } from '@platform/kubernetes';
import type { Answer } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { actorOfPrincipal } from '../../http/audit.ts';
import { problemHeaders } from '../../http/send-problem.ts';

/** The refusal of a call as a `Status`; null for anything that is no refusal. */
export function statusAnswer(error: unknown, call: Call, requested: RequestedObject | null): Answer | null {
  if (!(error instanceof Problem) || error.code === 'internal_error') return null;
  const status = statusOf(error, requested, userOf(call));
  return {
    status: status.code,
    body: JSON.stringify(status),
    contentType: 'application/json',
    headers: problemHeaders(error),
    closes: error.code === 'payload_too_large',
  };
}

/** The name of the caller in messages and reviews. */
export function userOf({ context }: Call): string {
  const { type, id } = actorOfPrincipal(context.principal);
  return type === 'controller' ? `controller:${id}` : id;
}
