import { accessSubject, grantFor, grantsOf } from '@platform/access';
import { z } from 'zod';
import type { Caller } from '../model/caller.ts';
import { builtInCollection, platformGroup } from '../model/definition.ts';
import { resourceName } from '../model/names.ts';
import { ownerReference } from '../model/owner-reference.ts';
import type { JsonText } from '../model/resource.ts';
import type { AccessFacts } from '../ports/access-facts.ts';
import type { Transaction } from '../ports/transactions.ts';
import { accessDenied, escalation, requireHeldIn } from '../rules/access.ts';
import { requireValid } from '../rules/validate-body.ts';
import { changesOnlyLifecycle, requireCurrentAccess, requireLive } from './access-checks.ts';
import { scopeUidIn } from './scope-of-spec.ts';
import { type BuiltInKind, type KindStrategy, operatorsOnly, type Proposed } from './strategy.ts';

/** The collection of RoleBindings, which give the permissions of a Role to subjects. */
export const roleBindings = builtInCollection('rolebindings', 'RoleBinding');

/** The most subjects of one binding. */
const maxSubjects = 1000;

/** `spec` of a RoleBinding. */
export const roleBindingSpec = z.strictObject({
  roleRef: z.strictObject({ name: resourceName }),
  subjects: z.array(accessSubject).max(maxSubjects).default([]),
  scope: ownerReference.nullish(),
});

type RoleBindingSpec = z.output<typeof roleBindingSpec>;

function specOf({ spec }: Proposed): RoleBindingSpec {
  return requireValid(roleBindingSpec, spec.value, '/spec');
}

const scopePath = ['scope'];

/** The scope of a spec that may have other faults. */
const legibleScope = z.object({ scope: roleBindingSpec.shape.scope.catch(null) });

const strategy: KindStrategy = {
  allowsOwnerReferences: true,

  allows: operatorsOnly,

  async validateCreate(proposed) {
    specOf(proposed);
  },

  async validateUpdate(proposed) {
    specOf(proposed);
  },

  async checkReferences({ access }, spec, stored, { caller, verb }) {
    await requireCurrentAccess(access, caller);
    const { scope } = legibleScope.parse(spec);
    const unchanged = stored === null ? null : scopeUidOf(stored.spec);
    await requireWritableScope(access, scope, { caller, verb, name: stored?.name ?? null }, unchanged);
  },

  async beforeCreate({ access }, proposed, { caller, verb }) {
    await requireCurrentAccess(access, caller);
    await requireGrantable(access, specOf(proposed), { caller, verb, name: null });
  },

  scopePath,

  /** A binding that stays the same may outlive its role and its scope, and needs no permission to grant. */
  async beforeUpdate({ access }: Transaction, proposed, stored, { caller, verb }) {
    await requireCurrentAccess(access, caller);
    if (changesOnlyLifecycle(proposed, stored)) return;
    const spec = specOf(proposed);
    const request = { caller, verb, name: stored.name };
    await requireGrantable(access, spec, request, scopeUidOf(stored.spec));
  },
};

/** RoleBinding, with its rules. */
export const roleBindingKind: BuiltInKind = { collection: roleBindings, strategy };

/** A write of a binding; the name is null for a create. */
interface BindingWrite {
  readonly caller: Caller;
  readonly verb: 'create' | 'update' | 'patch' | 'restore';
  readonly name: string | null;
}

/** Checks a binding in its scope: the caller may write bindings there, and has every permission that the binding grants. */
async function requireGrantable(
  access: AccessFacts,
  { roleRef, scope }: RoleBindingSpec,
  request: BindingWrite,
  unchangedScope: string | null = null,
): Promise<void> {
  const within = await requireWritableScope(access, scope, request, unchangedScope);
  const { caller } = request;
  if (caller.type === 'operator') return;
  const role = await access.role(roleRef.name);
  // Attack: a binding to a role that somebody creates later grants whatever that role will have.
  if (role === null || (scope != null && within === null)) throw escalation();
  requireHeldIn(caller, role.rules, within);
}

/**
 * Throws unless the caller may write bindings in the scope, and it is a live resource. The uids of the scope and of what is above it, or null
 * when there is none.
 *
 * Attack: a caller with rights in one scope writes a binding for another scope, or for everything.
 */
async function requireWritableScope(
  access: AccessFacts,
  scope: RoleBindingSpec['scope'],
  { caller, verb, name }: BindingWrite,
  unchangedScope: string | null,
): Promise<readonly string[] | null> {
  const lineage = scope == null ? null : await access.lineage(scope.uid);
  const within = lineage === null ? null : [lineage.identity.uid, ...lineage.within];
  if (caller.type !== 'operator') {
    const grants = grantsOf(caller.access?.bindings ?? [], {
      verb,
      name,
      group: platformGroup,
      resource: 'rolebindings',
    });
    // A scope that does not exist is refused like one that the caller may not use.
    const place = { uid: '', name: name ?? '', within: within ?? [] };
    if (grantFor(grants, place) === null) throw accessDenied(caller);
  }
  if (scope != null && scope.uid !== unchangedScope) requireLive(scope, lineage, '/spec/scope/uid');
  return within;
}

/** The uid of the scope of a stored binding, or null. */
export function scopeUidOf(spec: JsonText): string | null {
  return scopeUidIn(spec, scopePath);
}
