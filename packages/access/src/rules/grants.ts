import type { EffectiveBinding } from '../model/access-rules.ts';
import { type AccessRule, namesOf } from '../model/rule.ts';
import { type AccessRequest, coveredNames, includesOrAll } from './match-rule.ts';

/** A binding and the rule of its role that cover a request, in the scope of the binding. */
export interface Grant {
  readonly binding: string;
  readonly role: string;
  readonly rule: AccessRule;
  /** The uid of the resource that it covers, with everything below; null for everything. */
  readonly scope: string | null;
  /** The names that it covers; null for every name. */
  readonly names: readonly string[] | null;
}

/** The grants that cover a request. An empty list refuses it. */
export function grantsOf(bindings: readonly EffectiveBinding[], request: AccessRequest): readonly Grant[] {
  return bindings.flatMap(({ name, role, rules, scope }) =>
    rules.flatMap((rule) => {
      const names = coveredNames(rule, request);
      return names !== null && names.length === 0 ? [] : [{ binding: name, role, rule, scope, names }];
    }),
  );
}

type Kind = { readonly group: string; readonly plural: string };

/** The grants of any verb on a kind or a part of it. */
export function grantsOnKind(
  bindings: readonly EffectiveBinding[],
  { group, plural }: Kind,
): readonly Grant[] {
  return bindings.flatMap(({ name, role, rules, scope }) =>
    rules
      .filter((rule) => coversKind(rule, group, plural))
      .map((rule) => ({ binding: name, role, rule, scope, names: namesOf(rule) })),
  );
}

/** Whether some binding covers any verb on a kind or a part of it. */
export function usesKind(bindings: readonly EffectiveBinding[], { group, plural }: Kind): boolean {
  return bindings.some(({ rules }) => rules.some((rule) => coversKind(rule, group, plural)));
}

/** Whether a binding without a scope covers some verb on the kind or a part of it: then the caller may learn that it does not exist. */
export function seesKind(bindings: readonly EffectiveBinding[], kind: Kind): boolean {
  return grantsOnKind(bindings, kind).some(({ scope }) => scope === null);
}

/** Whether a binding without a scope covers some verb on every kind. */
export function seesEveryKind(bindings: readonly EffectiveBinding[]): boolean {
  return bindings.some(
    ({ scope, rules }) =>
      scope === null &&
      rules.some(({ apiGroups, resources }) => apiGroups.includes('*') && resources.includes('*')),
  );
}

function coversKind(rule: AccessRule, group: string, plural: string): boolean {
  return (
    includesOrAll(rule.apiGroups, group) &&
    rule.resources.some((pattern) => ['*', plural].includes(pattern.split('/')[0] ?? ''))
  );
}

/** A row as grants are compared with it: its uid and name, and the resources that it is below. */
export interface Place {
  readonly uid: string;
  readonly name: string;
  /** The uids of everything that it is below, and for a RoleBinding those of its scope and everything above that. */
  readonly within: readonly string[];
}

/** The first grant that covers the row, or null. */
export function grantFor(grants: readonly Grant[], { uid, name, within }: Place): Grant | null {
  return (
    grants.find(
      ({ scope, names }) =>
        (scope === null || scope === uid || within.includes(scope)) &&
        (names === null || names.includes(name)),
    ) ?? null
  );
}
