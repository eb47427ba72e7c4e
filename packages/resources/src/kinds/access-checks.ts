import { StaleAccess } from '@platform/access';
import { invalid } from '@platform/kernel';
import type { Caller } from '../model/caller.ts';
import { sameJson } from '../model/json-equality.ts';
import { withOtherManagers } from '../model/managed-fields.ts';
import { groupOf } from '../model/names.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import type { Resource } from '../model/resource.ts';
import type { AccessFacts, Lineage } from '../ports/access-facts.ts';
import type { ProposedUpdate } from './strategy.ts';

/** Throws `StaleAccess` unless the caller was authorized with the roles and bindings that are stored now. Operators need none. */
export async function requireCurrentAccess(access: AccessFacts, caller: Caller): Promise<void> {
  if (caller.type === 'operator' || caller.access === undefined) return;
  if ((await access.version()) !== caller.access.version) throw new StaleAccess();
}

/** Throws `validation_failed` at `path` unless the lineage is that of a live resource that the scope names. */
export function requireLive(scope: OwnerReference, lineage: Lineage | null, path: string): void {
  const { apiVersion = '', kind, name } = lineage?.identity ?? {};
  const isSame =
    groupOf(apiVersion) === groupOf(scope.apiVersion) && kind === scope.kind && name === scope.name;
  if (isSame && lineage?.terminating === false) return;
  throw invalid([{ path, message: `does not identify a live ${scope.kind} named ${scope.name}` }]);
}

/**
 * Whether an update changes only finalizers and owner references. It needs no permission to grant, as in Kubernetes: otherwise nobody else
 * could end the deletion of a role or binding that grants more than they have.
 */
export function changesOnlyLifecycle(proposed: ProposedUpdate, stored: Resource): boolean {
  return (
    sameJson(stored.spec, proposed.spec.text) &&
    sameJson(JSON.stringify(stored.labels), JSON.stringify(proposed.labels)) &&
    sameJson(withOtherManagers(stored.metadata, null), withOtherManagers(proposed.metadata, null))
  );
}
