import type { AuditAction } from '../model/audit-actions.ts';
import type { AuditEntry, AuditOutcome, AuditRecord, ChangeOrigin } from '../model/audit-record.ts';

/** Which records are wanted; an absent member is no condition. */
export interface AuditFilter {
  /** RFC 3339; inclusive. */
  readonly since?: string;
  /** RFC 3339; exclusive. */
  readonly until?: string;
  /** The id of the actor, compared without case. */
  readonly actor?: string;
  readonly action?: AuditAction;
  /** Records of any of these actions. */
  readonly actions?: readonly AuditAction[];
  /** The uid of the resource. */
  readonly resource?: string;
  readonly kind?: string;
  readonly project?: string;
  /** The name of an extension of the project. */
  readonly extension?: string;
  readonly outcome?: AuditOutcome;
  readonly requestId?: string;
}

/** The last record of a page. */
export interface AuditPosition {
  readonly time: string;
  readonly id: string;
}

/** A page of records, newest first. */
export interface AuditPage {
  readonly items: readonly AuditRecord[];
  readonly more: boolean;
}

/** The stored audit records. */
export interface AuditStore {
  /** Must store all records or none. A record that is stored already gets the new details. */
  append(records: readonly AuditRecord[]): Promise<void>;
  /** Must return records before the position, newest first. */
  list(
    filter: AuditFilter,
    page: { readonly limit: number; readonly after: AuditPosition | null },
  ): Promise<AuditPage>;
}

/** Takes records that have no transaction of their own. Best effort: it must not delay or fail the answer. */
export interface AuditTrail {
  record(entry: AuditEntry, origin: ChangeOrigin): void;
}
