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

/** The kinds below projects by their collection. */
const kinds: Readonly<Record<string, { readonly kind: string; readonly noun: string }>> = {
  environments: { kind: 'Environment', noun: 'environment' },
  'service-accounts': { kind: 'ServiceAccount', noun: 'service_account' },
  deployments: { kind: 'Deployment', noun: 'deployment' },
  extensions: { kind: 'Extension', noun: 'extension' },
};

/** The entry of a write of one resource below a project. */
export function childEntry(
  plural: string,
  verb: 'created' | 'updated' | 'deleted' | 'credential_rotated' | 'secret_rotated',
  project: { readonly name: string },
  child: { readonly name: string; readonly uid: string },
  details: AuditEntry['details'] = {},
): AuditEntry {
  const { kind, noun } = kinds[plural] as { kind: string; noun: string };
  const resource = { kind, name: child.name, uid: child.uid };
  return { action: `${noun}.${verb}` as AuditAction, resource, project: project.name, details };
}

/** The names of the members that a write changes; values may be secrets. */
export function changedMembers<T extends object>(changes: Partial<T>, stored: T): readonly string[] {
  return Object.entries(changes)
    .filter(([member, value]) => JSON.stringify(value) !== JSON.stringify(stored[member as keyof T]))
    .map(([member]) => member);
}
