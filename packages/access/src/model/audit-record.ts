import type { AuditAction } from './audit-actions.ts';

/**
 * The identity of a caller in an audit record. The collector and bootstrap act as `system`; `anonymous` has no access and
 * appears in `resource.access_denied` only.
 */
export interface Actor {
  readonly type: 'operator' | 'controller' | 'system' | 'user' | 'service_account' | 'anonymous';
  readonly id: string;
}

/** Who writes, and with which request: the same for everything that one request writes. */
export interface ChangeOrigin {
  readonly actor: Actor;
  /** Null for writes without a request. */
  readonly requestId: string | null;
  /** Why, in the words of the caller (`X-Change-Reason`). */
  readonly reason: string | null;
  /** The address of the client, behind the trusted proxies. */
  readonly sourceAddress: string | null;
  /** `User-Agent`, truncated. */
  readonly userAgent: string | null;
}

/** The results of actions: `denied` is a decision about the caller, `failed` is any other error. */
export const auditOutcomes = ['allowed', 'denied', 'failed'] as const;
/** The result of an action. */
export type AuditOutcome = (typeof auditOutcomes)[number];

/** The resource of an action. Typed resources have no `apiVersion`, and no parent but their project. */
export interface AuditResource {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly parentUid?: string | null;
}

/** An action, as the code that performs it describes it. */
export interface AuditEntry {
  readonly action: AuditAction;
  /** `allowed` unless given. */
  readonly outcome?: AuditOutcome;
  /** Instead of the caller of the request, such as the person whom a login has just identified. */
  readonly actor?: Actor;
  readonly resource?: AuditResource;
  /** The name of the project. */
  readonly project?: string;
  /** Facts that help to understand the action. Never a secret, a token, a code, or a text that may hold one. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A stored audit record. */
export interface AuditRecord {
  /** A uuid. */
  readonly id: string;
  /** RFC 3339 with milliseconds. */
  readonly time: string;
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly sourceAddress: string | null;
  readonly userAgent: string | null;
  readonly resource?: AuditResource;
  readonly project?: string;
  readonly reason?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Longest texts that come from clients, in characters. Attack: records of megabytes fill the disk. */
const longest = { userAgent: 256, detail: 512 } as const;

/** Makes a record of an entry. */
export function auditRecord(
  entry: AuditEntry,
  origin: ChangeOrigin,
  { id, time }: { readonly id: string; readonly time: number },
): AuditRecord {
  const { action, outcome = 'allowed', actor = origin.actor, resource, project, details = {} } = entry;
  return {
    id,
    time: new Date(time).toISOString(),
    action,
    outcome,
    actor: { type: actor.type, id: storable(actor.id, longest.detail) },
    requestId: origin.requestId,
    sourceAddress: origin.sourceAddress,
    userAgent: origin.userAgent === null ? null : storable(origin.userAgent, longest.userAgent),
    ...(resource === undefined ? {} : { resource }),
    ...(project === undefined ? {} : { project: storable(project, longest.detail) }),
    ...(origin.reason === null ? {} : { reason: origin.reason }),
    details: Object.fromEntries(
      Object.entries(details).map(([name, value]) => [
        name,
        typeof value === 'string' ? storable(value, longest.detail) : value,
      ]),
    ),
  };
}

/**
 * A text of a client as it is stored. Attack: line breaks, escape sequences or half surrogates in a user agent forge a second record in
 * an export, or on the terminal that shows it; a NUL makes the database refuse the whole batch.
 */
function storable(text: string, length: number): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, length);
}
