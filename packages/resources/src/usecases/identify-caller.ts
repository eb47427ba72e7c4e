import { type AccessRules, type AccessRulesCache, type CallerIdentity, StaleAccess } from '@platform/access';
import { Problem } from '@platform/kernel';
import type { Caller, Controller, Operator } from '../model/caller.ts';

/** Who sends a request, before roles and bindings are looked at. */
export type Identity =
  | Operator
  | Pick<Controller, 'type' | 'id' | 'reads'>
  | {
      readonly type: 'user';
      readonly email: string;
      /** Whether the identity provider vouches for the address and the groups. */
      readonly emailVerified: boolean;
      readonly groups: readonly string[];
    }
  | { readonly type: 'service_account'; readonly email: string; readonly uid: string };

/** The subjects that bindings may name for a caller. */
export function callerIdentity(identity: Identity): CallerIdentity {
  switch (identity.type) {
    case 'operator':
      return { subjects: [{ kind: 'User', name: identity.email }] };
    case 'controller':
      return { subjects: [{ kind: 'Controller', name: identity.id }] };
    case 'service_account':
      return {
        subjects: [{ kind: 'ServiceAccount', name: identity.email }],
        serviceAccountUid: identity.uid,
      };
    case 'user': {
      // Attack: somebody enters the address of a bound user at a provider that verifies none.
      if (!identity.emailVerified) return { subjects: [] };
      const groups = identity.groups.map((name) => ({ kind: 'Group', name }) as const);
      return { subjects: [{ kind: 'User', name: identity.email }, ...groups] };
    }
  }
}

/** The most attempts of one request. A retry means that roles or bindings changed during the attempt. */
const maxRounds = 10;

/**
 * Runs `attempt` with the caller and what bindings grant it, and runs it again with the current bindings when a statement finds them
 * stale. A refusal is confirmed first, so that a new binding holds for the next request on every replica. Operators need no bindings.
 */
export async function withAccess<T>(
  rulesCache: AccessRulesCache,
  identity: Identity,
  attempt: (caller: Caller) => Promise<T>,
): Promise<T> {
  if (identity.type === 'operator') return await attempt(identity);
  return await withRules(rulesCache, (rules) => attempt(callerOf(identity, rules)));
}

/** As {@link withAccess}, for answers that report access instead of refusing it; see {@link withConfirmedRules}. */
export async function withConfirmedAccess<T>(
  rulesCache: AccessRulesCache,
  identity: Identity,
  attempt: (caller: Caller) => Promise<T>,
): Promise<T> {
  if (identity.type === 'operator') return await attempt(identity);
  return await withConfirmedRules(rulesCache, (rules) => attempt(callerOf(identity, rules)));
}

/** Runs `attempt` with roles and bindings that are the stored ones at a moment after this call began. */
export function withConfirmedRules<T>(
  rulesCache: AccessRulesCache,
  attempt: (rules: AccessRules) => Promise<T>,
): Promise<T> {
  return withRules(rulesCache, async (rules) => {
    const answer = await attempt(rules);
    if (!(await rulesCache.isCurrent(rules))) throw new StaleAccess();
    return answer;
  });
}

async function withRules<T>(
  rulesCache: AccessRulesCache,
  attempt: (rules: AccessRules) => Promise<T>,
): Promise<T> {
  for (let round = 0; round < maxRounds; round += 1) {
    const rules = await rulesCache.current();
    try {
      return await attempt(rules);
    } catch (error) {
      const isStale = error instanceof StaleAccess;
      if (!isStale && (!isForbidden(error) || (await rulesCache.isCurrent(rules)))) throw error;
      rulesCache.forget(rules);
    }
  }
  throw new Problem('contention', 'Roles and bindings keep changing; try again.', { retryAfterSeconds: 1 });
}

function callerOf(identity: Exclude<Identity, Operator>, rules: AccessRules): Caller {
  const access = { version: rules.version, bindings: rules.bindingsOf(callerIdentity(identity)) };
  if (identity.type === 'controller') return { ...identity, access };
  return { type: identity.type, email: identity.email, access };
}

function isForbidden(error: unknown): boolean {
  return error instanceof Problem && error.status === 403;
}
