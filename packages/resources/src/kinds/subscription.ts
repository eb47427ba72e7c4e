import type { AccessRule } from '@platform/access';
import { invalid, Problem } from '@platform/kernel';
import { z } from 'zod';
import type { Caller } from '../model/caller.ts';
import { builtInCollection, type Collection, type GroupKind } from '../model/definition.ts';
import { storedDefinitionSpec } from '../model/definition-spec.ts';
import { sameJson } from '../model/json-equality.ts';
import { type JsonObject, parseValue, renderValue } from '../model/json-value.ts';
import type { JsonText } from '../model/resource.ts';
import {
  maxUrl,
  type SelectedKind,
  type SubscriptionSpec,
  selectorOf,
  subscriptionSpec,
} from '../model/subscription-spec.ts';
import type { Transaction } from '../ports/transactions.ts';
import { holdsIn } from '../rules/access.ts';
import { allOf } from '../rules/all-faults.ts';
import { requireValid } from '../rules/validate-body.ts';
import { requireCurrentAccess, requireLive } from './access-checks.ts';
import { scopeUidIn } from './scope-of-spec.ts';
import {
  type BuiltInKind,
  type KindStrategy,
  operatorsOnly,
  type Proposed,
  type StrategyDeps,
} from './strategy.ts';

/** The collection of Subscriptions, to whose URLs the collector delivers changes. */
export const subscriptions = builtInCollection('subscriptions', 'Subscription');

const scopePath = ['selector', 'scope'];

/** The selector of a spec that may have other faults. */
const legibleSelector = z.object({ selector: subscriptionSpec.shape.selector });

/** Subscription, with its rules. `builtIn` finds the collection of a built-in kind. */
export function subscriptionKind(builtIn: (kind: GroupKind) => Collection | null): BuiltInKind {
  return { collection: subscriptions, strategy: strategyOf(builtIn) };
}

function strategyOf(builtIn: (kind: GroupKind) => Collection | null): KindStrategy {
  return {
    allowsOwnerReferences: true,

    allows: operatorsOnly,

    completeSpec: keepSecret,

    scopePath,

    async validateCreate(proposed, _collection, deps) {
      specOf(proposed, deps);
    },

    async validateUpdate(proposed, _collection, deps) {
      specOf(proposed, deps);
    },

    async checkReferences(transaction, spec, stored, { caller }) {
      await requireCurrentAccess(transaction.access, caller);
      const { data } = legibleSelector.safeParse(spec);
      const storedScope = stored === null ? null : scopeUidIn(stored.spec, scopePath);
      if (data !== undefined) await requireSelectable(transaction, data, { caller, builtIn }, storedScope);
    },

    async beforeCreate(transaction, proposed, { caller }) {
      await requireCurrentAccess(transaction.access, caller);
      const spec = subscriptionSpec.parse(proposed.spec.value);
      await requireSelectable(transaction, spec, { caller, builtIn });
    },

    async beforeUpdate(transaction, proposed, stored, { caller }) {
      await requireCurrentAccess(transaction.access, caller);
      if (sameJson(stored.spec, proposed.spec.text)) return;
      const spec = subscriptionSpec.parse(proposed.spec.value);
      await requireSelectable(transaction, spec, { caller, builtIn }, scopeUidIn(stored.spec, scopePath));
    },
  };
}

function specOf(
  { spec }: Proposed,
  { insecureOrigins = [] }: Pick<StrategyDeps, 'insecureOrigins'>,
): SubscriptionSpec {
  const [parsed] = allOf(
    () => requireValid(subscriptionSpec, spec.value, '/spec'),
    () => requireSecure(urlIn(spec.value), insecureOrigins),
  );
  return parsed;
}

/** The address in a spec, which may have faults; null when it has none. */
function urlIn(spec: unknown): URL | null {
  const { url = '' } = z.object({ url: z.string().max(maxUrl) }).safeParse(spec).data ?? {};
  return URL.canParse(url) ? new URL(url) : null;
}

function requireSecure(url: URL | null, insecureOrigins: readonly string[]): void {
  if (url === null || url.protocol === 'https:' || insecureOrigins.includes(url.origin)) return;
  throw invalid([{ path: '/spec/url', message: 'must be an https URL' }]);
}

/** The secret is never shown, so a replacement without it keeps the stored one. */
function keepSecret(spec: JsonText, stored: JsonText | null): JsonText {
  if (stored === null) return spec;
  const members = parseValue(spec) as JsonObject;
  const kept = (parseValue(stored) as JsonObject).get('secret');
  if (kept === undefined || (members.get('secret') ?? 'null') !== 'null') return spec;
  members.set('secret', kept);
  return renderValue(members);
}

/**
 * Checks that a new scope is a live resource, and that the caller may list what is selected there.
 *
 * Attack: somebody who may write subscriptions has the changes of resources delivered that they may not read.
 */
async function requireSelectable(
  { access, definitions }: Transaction,
  spec: Pick<SubscriptionSpec, 'selector'>,
  {
    caller,
    builtIn,
  }: {
    readonly caller: Caller;
    readonly builtIn: (kind: GroupKind) => Collection | null;
  },
  storedScope: string | null = null,
): Promise<void> {
  const scope = spec.selector?.scope ?? null;
  const lineage = scope === null ? null : await access.lineage(scope.uid);
  if (caller.type !== 'operator') {
    const { kinds } = selectorOf(spec);
    const rules: AccessRule[] = [];
    for (const selected of kinds) rules.push(await listRule(selected));
    if (kinds.length === 0) rules.push(everything);
    // A scope that does not exist is refused like one in which the caller may not list.
    const within = lineage === null ? null : [lineage.identity.uid, ...lineage.within];
    if (!holdsIn(caller, rules, within)) {
      throw new Problem('forbidden', 'You may subscribe only to kinds that you may list in that scope.');
    }
  }
  if (scope !== null && scope.uid !== storedScope) requireLive(scope, lineage, '/spec/selector/scope/uid');

  async function listRule({ kind, group }: SelectedKind): Promise<AccessRule> {
    if (group === null) return everything;
    const known = builtIn({ group, kind });
    const [definition] = known === null ? await definitions.claiming('', { group, kind }, null) : [];
    const plural = known?.plural ?? (definition && storedDefinitionSpec(definition).plural);
    return plural === undefined ? everything : { apiGroups: [group], resources: [plural], verbs: ['list'] };
  }
}

/** A kind that is not registered, or not named with its group, can become any kind. */
const everything: AccessRule = { apiGroups: ['*'], resources: ['*'], verbs: ['list'] };
