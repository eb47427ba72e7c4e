import type { Actor, AuditEntry, AuditTrail, ChangeOrigin } from '@platform/access';
import { OAuthError, Problem } from '@platform/kernel';
import { maxUserAgent, parseReason } from '@platform/resources';
import type { Principal } from '@platform/tokens';
import type { Request } from 'express';

/** Characters of a path in a record. */
const maxPathLength = 512;

/** The caller as an actor of audit records. */
export function actorOfPrincipal(principal: Principal | null): Actor {
  if (principal === null) return { type: 'anonymous', id: '' };
  return { type: principal.type, id: principal.type === 'controller' ? principal.id : principal.email };
}

/** Where a request comes from, and why it is made. Throws `malformed_request` for a reason that is no printable text. */
export function originOfRequest(request: Request): ChangeOrigin {
  return { ...sourceOf(request), reason: parseReason(changeReasonOf(request)) };
}

/** `X-Change-Reason`: Node reads headers as Latin-1, clients send UTF-8. */
function changeReasonOf(request: Request): string | undefined {
  const sent = request.get('x-change-reason');
  return sent === undefined ? undefined : utf8Of(sent);
}

/** The text of the bytes of a header, read as UTF-8; as Latin-1 when they are not UTF-8. */
function utf8Of(header: string): string {
  const text = Buffer.from(header, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? header : text;
}

function sourceOf(request: Request): ChangeOrigin {
  return {
    actor: actorOfPrincipal(request.context.principal),
    requestId: request.context.id,
    reason: null,
    sourceAddress: request.ip ?? null,
    userAgent: request.headers['user-agent']?.slice(0, maxUserAgent) ?? null,
  };
}

/** Where any request comes from. Never throws: a reason for which {@link originOfRequest} refuses a write is left out. */
export function recordedOriginOf(request: Request): ChangeOrigin {
  try {
    return originOfRequest(request);
  } catch {
    // A refused caller may send anything.
    return sourceOf(request);
  }
}

/** Records an action of a request. */
export function recordAction(trail: AuditTrail | null, request: Request, entry: AuditEntry): void {
  trail?.record(entry, recordedOriginOf(request));
}

/** Records a refusal of access or of too many requests; other refusals are not recorded. */
export function recordRefusedRequest(trail: AuditTrail | null, request: Request, error: unknown): void {
  const refusal = refusalOf(error);
  if (refusal === null || ![401, 403, 429].includes(refusal.status)) return;
  const { path } = request.context;
  recordAction(trail, request, {
    action: 'request.refused',
    outcome: 'denied',
    details: refusalDetails(request.method, path, refusal.code),
  });
}

/** The details of a refused request in its audit record. */
export function refusalDetails(method: string, path: string, code: string) {
  return { method, path: path.slice(0, maxPathLength), code };
}

/** Status and code of an error that is answered on purpose; null for internal errors and clients that are gone. */
export function refusalOf(error: unknown): { readonly status: number; readonly code: string } | null {
  return error instanceof Problem || error instanceof OAuthError
    ? { status: error.status, code: error.code }
    : null;
}
