import type { AuditTrail } from '@platform/access';
import { type Logger, Problem } from '@platform/kernel';
import type { Request, Response } from 'express';
import { recordRefusedRequest } from '../http/audit.ts';
import { logUnserved } from '../http/error-handler.ts';
import { sendAnswer } from '../http/send.ts';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';

/**
 * Answers an error in the form of the endpoint, and records it. Throws it for the error handler when the endpoint has no form for it, or
 * the answer has begun.
 */
export async function sendRefusal(
  endpoint: { onError?(error: unknown, call: Call): Answer | null },
  error: unknown,
  call: Call,
  {
    request,
    response,
    audit,
    log,
  }: {
    readonly request: Request;
    readonly response: Response;
    readonly audit: AuditTrail | null | undefined;
    readonly log: Logger | undefined;
  },
): Promise<void> {
  const answer = response.headersSent ? null : (endpoint.onError?.(error, call) ?? null);
  if (answer === null) throw error;
  if (!request.context.audited) recordRefusedRequest(audit ?? null, request, error);
  if (error instanceof Problem) {
    request.context.problem = error.code;
    if (log !== undefined) logUnserved(log, request.context.id, error);
  }
  await sendAnswer(request, response, answer);
}
