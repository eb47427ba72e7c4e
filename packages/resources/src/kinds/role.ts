import { roleSpec } from '@platform/access';
import { builtInCollection } from '../model/definition.ts';
import { requireHeldIn } from '../rules/access.ts';
import { requireValid } from '../rules/validate-body.ts';
import { changesOnlyLifecycle, requireCurrentAccess } from './access-checks.ts';
import { type BuiltInKind, type KindStrategy, operatorsOnly } from './strategy.ts';

/** The collection of Roles, which list permissions. */
export const roles = builtInCollection('roles', 'Role');

const strategy: KindStrategy = {
  allowsOwnerReferences: true,

  allows: operatorsOnly,

  async validateCreate({ spec }) {
    requireValid(roleSpec, spec.value, '/spec');
  },

  async validateUpdate({ spec }) {
    requireValid(roleSpec, spec.value, '/spec');
  },

  async beforeCreate({ access }, { spec }, { caller }) {
    await requireCurrentAccess(access, caller);
    requireHeldIn(caller, roleSpec.parse(spec.value).rules, null);
  },

  /** Attack: somebody adds permissions to a role that is bound to them already. */
  async beforeUpdate({ access }, proposed, stored, { caller }) {
    await requireCurrentAccess(access, caller);
    if (changesOnlyLifecycle(proposed, stored)) return;
    requireHeldIn(caller, roleSpec.parse(proposed.spec.value).rules, null);
  },
};

/** Role, with its rules. */
export const roleKind: BuiltInKind = { collection: roles, strategy };
