import type { AccessRulesCache } from '@platform/access';
import { Problem } from '@platform/kernel';
import type { RateLimiter } from '@platform/oauth-proxy';
import {
  type AuditLog,
  type DefinitionCatalog,
  type JsonDocument,
  parseDocument,
  type ResourcePorts,
  withAccess,
  withConfirmedAccess,
} from '@platform/resources';
import type { Roles } from '@platform/tokens';
import type { Call } from '../../endpoint/call.ts';
import type { EndpointFamily } from '../../endpoint/family.ts';
import { actorOfPrincipal, refusalDetails } from '../../http/audit.ts';
import { type AccountDeps, refusalFor } from '../../http/require-account.ts';
import type { WatchService } from '../watch/stream-answer.ts';
import {
  bodyLimitFor,
  envelopes,
  identityOfPrincipal,
  type PatchBody,
  patchBodyOf,
  patchTypes,
  type ResourceCall,
} from './call.ts';
import { dispatch, prefix } from './dispatch.ts';
import { watchTarget } from './watch.ts';

/** The dependencies of the generic API. */
export interface ResourceDeps extends AccountDeps {
  readonly ports: ResourcePorts;
  readonly catalog: DefinitionCatalog;
  /** The roles and bindings in memory. */
  readonly access: AccessRulesCache;
  /** The ids in `auth.controllers` with `read: true`. */
  readonly readingControllers: ReadonlySet<string>;
  /** `auth.operator_users`. */
  readonly roles: Pick<Roles, 'isOperator'>;
  /** `server.body_limit_bytes`. */
  readonly bodyLimitBytes: number;
  readonly watch: WatchService;
  /** How many refusals of anonymous callers are recorded for each address. */
  readonly anonymousRefusals: RateLimiter;
}

/** The generic resource API. The family has answered 401 before. */
export function resourceFamily(deps: ResourceDeps): EndpointFamily {
  return {
    prefix,
    // Users and service accounts that no binding names are refused here, with the same 403 for everything.
    access: 'authenticated',
    async handle(call) {
      const parts = requestParts(deps, call);
      // Statements compare the access to every path but the list of kinds, so that one is confirmed.
      const decided = call.path === prefix ? withConfirmedAccess : withAccess;
      const { principal } = call.context;
      const identity = identityOfPrincipal(principal, deps.readingControllers);
      try {
        const answer = await decided(deps.access, identity, (caller) =>
          dispatch(deps.catalog, { ...parts, caller }),
        );
        // Answers may depend on a session cookie: shared caches must not store them, and browsers must revalidate.
        return { ...answer, headers: { 'Cache-Control': 'private, no-cache', ...answer.headers } };
      } catch (error) {
        throw await refusalFor(deps, principal, error);
      }
    },
    // Attack: anybody can send refused requests, of 30 KB each, until the disk that keeps the audit lines is full.
    refused(call, problem) {
      const { principal } = call.context;
      const origin = { name: prefix, address: call.address };
      if (principal === null && !deps.anonymousRefusals.take(origin).allowed) return;
      recordRefusal(deps, call, problem);
    },
  };
}

/** Writes an audit record of a refusal of access. */
export function recordRefusal({ ports }: Pick<ResourceDeps, 'ports'>, call: Call, problem: Problem): void {
  ports.audit.record({
    message: 'resource.access_denied',
    requestId: call.id,
    actor: actorOfPrincipal(call.context.principal),
    details: refusalDetails(call.method, call.path, problem.code),
  });
}

/** Runs work of an endpoint outside of {@link resourceFamily}, and records a refusal of access. */
export async function recordingRefusal<T>(
  deps: Pick<ResourceDeps, 'ports' | 'accountExists'>,
  call: Call,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = await refusalFor(deps, call.context.principal, thrown);
    if (error instanceof Problem && [401, 403].includes(error.status)) recordRefusal(deps, call, error);
    throw error;
  }
}

/** The audit log, with records that say where the request came from. */
export function auditFrom({ ports: { audit } }: Pick<ResourceDeps, 'ports'>, call: Call): AuditLog {
  return {
    record(record) {
      const { reason, sourceAddress, userAgent } = call.recordedOrigin;
      audit.record({ ...record, origin: { reason, sourceAddress, userAgent } });
    },
    cascaded: (cascades, context) => audit.cascaded(cascades, context),
  };
}

/** Transactions that hold the document of the request; a body of unknown length may be as large as the limit. */
function weighed({ ports, bodyLimitBytes }: ResourceDeps, { headers }: Call): ResourcePorts['transactions'] {
  const unknown = headers['transfer-encoding'] === undefined ? 0 : bodyLimitBytes;
  const bytes = Number(headers['content-length'] ?? unknown);
  return { run: (work) => ports.transactions.run(work, { bytes }) };
}

/** The parts of the request without the caller. */
export function requestParts(deps: ResourceDeps, call: Call): Omit<ResourceCall, 'caller'> {
  const bodyLimitBytes = bodyLimitFor(call.path, deps.bodyLimitBytes);
  let text: Promise<string> | undefined;
  let document: Promise<JsonDocument> | undefined;
  let patchBody: Promise<PatchBody> | undefined;
  return {
    bodyLimitBytes,
    ports: {
      ...deps.ports,
      audit: auditFrom(deps, call),
      transactions: weighed({ ...deps, bodyLimitBytes }, call),
    },
    requestId: call.id,
    method: call.method,
    path: call.path,
    rawQuery: call.rawQuery,
    query: () => call.searchParams,
    watch: (target) => watchTarget(deps, call, target),
    answers: envelopes,
    precondition: () => call.precondition,
    origin: () => call.origin,
    matched(template) {
      call.context.route = template;
    },
    setHeaders: (headers) => call.setHeaders(headers),
    idempotencyKey: () => call.idempotencyKey,
    bodyText() {
      text ??= call.jsonText(bodyLimitBytes);
      return text;
    },
    body() {
      document ??= this.bodyText().then((read) => parseDocument(read));
      return document;
    },
    patch() {
      patchBody ??= readPatchBody(call, bodyLimitBytes);
      return patchBody;
    },
  };
}

/** A media type that no patch has is refused with the list of those that exist (RFC 5789, section 2.2). */
async function readPatchBody(call: Call, limit: number): Promise<PatchBody> {
  try {
    const { mediaType, text } = await call.typedText(Object.values(patchTypes), limit);
    return patchBodyOf(mediaType, text);
  } catch (error) {
    if (error instanceof Problem && error.code === 'unsupported_media_type') {
      call.setHeaders({ 'Accept-Patch': Object.values(patchTypes).join(', ') });
    }
    throw error;
  }
}
