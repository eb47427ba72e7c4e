import type { ChangeOrigin } from '@platform/access';
import { Problem } from '@platform/kernel';

/**
 * The operations of the change log. `cascade` marks a resource as deleted because its parent or an owner is. `collect` and `release` are of
 * the garbage collector: it removes the resource, or its own finalizer.
 */
export type Operation =
  | 'create'
  | 'update'
  | 'patch'
  | 'apply'
  | 'status'
  | 'finalizers'
  | 'delete'
  | 'cascade'
  | 'collect'
  | 'release'
  | 'restore';

/** The context of one write. The store keeps it with the row, and with the entry of the change log that the write appends. */
export interface ChangeContext extends ChangeOrigin {
  readonly operation: Operation;
  /** Names the deletion that causes the write: the same for the DELETE and all of its cascades; null for any other write. */
  readonly cascadeId: string | null;
}

const maxReason = 1_024;
export const maxUserAgent = 256;

// Attack: a line break in a reason writes a second line into the logs and terminals that show it.
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Reads a reason; null when there is none. Throws `malformed_request` unless it is printable text of at most 1,024 characters. */
export function parseReason(text: string | undefined): string | null {
  const reason = text?.trim() ?? '';
  if (reason === '') return null;
  if (unprintable.test(reason)) {
    throw new Problem('malformed_request', 'X-Change-Reason must be printable text without line breaks.');
  }
  if ([...reason].length > maxReason) {
    throw new Problem('malformed_request', `X-Change-Reason has more than ${maxReason} characters.`);
  }
  return reason;
}

/** The context of what a process of the platform writes by itself. */
export function systemChange(id: string, operation: Operation): ChangeContext {
  return {
    operation,
    actor: { type: 'system', id },
    requestId: null,
    reason: null,
    cascadeId: null,
    sourceAddress: null,
    userAgent: null,
  };
}
