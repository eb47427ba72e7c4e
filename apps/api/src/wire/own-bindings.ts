import type { AccessRules, AccessRulesCache } from '@platform/access';
import { StorageError } from '@platform/kernel';
import { callerIdentity, withConfirmedRules } from '@platform/resources';
import type { MeDeps } from '../routes/login/me.ts';
import { identityOfPrincipal } from '../routes/resources/call.ts';

/**
 * The bindings that name a caller, as they are stored now. While the database does not answer, they are those that were read last: who
 * the caller is does not depend on it.
 */
export function ownBindings(access: AccessRulesCache): MeDeps['bindingsOf'] {
  return async (principal) => {
    const identity = identityOfPrincipal(principal, new Set());
    if (identity.type === 'operator') return [];
    const find = async (rules: AccessRules) => rules.bindingsOf(callerIdentity(identity));
    const found = await withConfirmedRules(access, find).catch(async (error: unknown) => {
      if (!(error instanceof StorageError)) throw error;
      return await find(await access.current());
    });
    return (
      found
        // A binding whose role does not exist grants nothing.
        .filter(({ rules }) => rules.length > 0)
        .map(({ name, role, scope }) => ({ name, role, scope }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    );
  };
}
