import { type AccessRule, namesOf } from '../model/rule.ts';
import { includesOrAll, matchesResource } from './match-rule.ts';

interface Permission {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly name: string | null;
}

/**
 * Whether every permission of `wanted` is one of `held`: Kubernetes' escalation rule. A permission is one verb on one resource of one
 * group, and one name where the rule has names; a `*` is covered by a `*` only.
 */
export function coversRules(held: readonly AccessRule[], wanted: readonly AccessRule[]): boolean {
  return wanted.every((rule) =>
    permissionsOf(rule).every((permission) => held.some((owned) => holds(owned, permission))),
  );
}

function permissionsOf(rule: AccessRule): readonly Permission[] {
  const names: readonly (string | null)[] = namesOf(rule) ?? [null];
  return rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) => names.map((name) => ({ group, resource, verb, name }))),
    ),
  );
}

function holds(rule: AccessRule, { group, resource, verb, name }: Permission): boolean {
  const names = namesOf(rule);
  return (
    includesOrAll(rule.apiGroups, group) &&
    includesOrAll(rule.verbs, verb) &&
    rule.resources.some((pattern) => matchesResource(pattern, resource)) &&
    (names === null || (name !== null && names.includes(name)))
  );
}
