import { Problem } from '@platform/kernel';
import { type RequestedObject, statusOf } from '@platform/kubernetes';
import type { JsonText } from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { actorOfPrincipal } from '../../http/audit.ts';
import { problemHeaders } from '../../http/send-problem.ts';
import { inPreferredType } from './representation.ts';

/** The refusal of a call as a `Status`, or as a stream that ends with one; null for anything that is no refusal. */
export function statusAnswer(error: unknown, call: Call, requested: RequestedObject | null): Answer | null {
  if (!(error instanceof Problem) || error.code === 'internal_error') return null;
  const status = statusOf(error, requested, userOf(call));
  // As in Kubernetes, whose clients do not read the body of a refused watch: `RetryWatcher` of client-go would ask again without end.
  if (error.code === 'cursor_expired' && requested?.verb === 'watch')
    return { status: 200, body: `${errorEvent(JSON.stringify(status))}\n`, contentType: 'application/json' };
  const answer = {
    status: status.code,
    body: JSON.stringify(status),
    contentType: 'application/json',
    headers: problemHeaders(error),
    early: error.code === 'payload_too_large',
  };
  return inPreferredType(answer, call.headers.accept);
}

/** The event of a stream that ends with a refusal. */
export function errorEvent(status: JsonText): string {
  return `{"type":"ERROR","object":${status}}`;
}

/** The name of the caller in messages and reviews. */
export function userOf({ context }: Call): string {
  const { type, id } = actorOfPrincipal(context.principal);
  return type === 'controller' ? `controller:${id}` : id;
}
