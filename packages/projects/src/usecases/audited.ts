import {
  type AuditAction,
  type AuditEntry,
  type AuditRecord,
  auditRecord,
  type ChangeOrigin,
} from '@platform/access';
import type { ProjectPorts } from './ports.ts';

/** A request whose writes are recorded: who asks, with which request, and why. */
export interface AuditedRequest {
  readonly origin: ChangeOrigin;
}

/** The audit record of a write, to be stored in its transaction. */
export function recordOf(
  { identifiers, clock }: Pick<ProjectPorts, 'identifiers' | 'clock'>,
  { origin }: AuditedRequest,
  entry: AuditEntry,
): AuditRecord {
  return auditRecord(entry, origin, { id: identifiers.uid(), time: clock.now() });
}

/** The entry of a write of one resource below a project. */
export function childEntry(
  { kindName }: { readonly kindName: string },
  action: AuditAction,
  { project, child, details = {} }: ChildWrite,
): AuditEntry {
  const resource = { kind: kindName, name: child.name, uid: child.uid };
  return { action, resource, project: project.name, details };
}

interface ChildWrite extends Pick<AuditEntry, 'details'> {
  readonly project: { readonly name: string };
  readonly child: { readonly name: string; readonly uid: string };
}

/** The names of the members that a write changes; values may be secrets. */
export function changedMembers<T extends object>(changes: Partial<T>, stored: T): readonly string[] {
  return Object.entries(changes)
    .filter(([member, value]) => JSON.stringify(value) !== JSON.stringify(stored[member as keyof T]))
    .map(([member]) => member);
}
