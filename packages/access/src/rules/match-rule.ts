import { type AccessRule, type AccessVerb, namesOf } from '../model/rule.ts';

/** One use of a resource, as rules are compared with it. */
export interface AccessRequest {
  readonly verb: AccessVerb;
  readonly group: string;
  /** `<plural>` or `<plural>/<subresource>`. */
  readonly resource: string;
  /**
   * The name of the item. `null` where a request names none (list, create): rules with `resourceNames` do not cover it, as in Kubernetes.
   * `undefined` where the name is not known before the row is read (a path by uid).
   */
  readonly name: string | null | undefined;
}

/** Whether the rule covers the verb on the resource, for some names at least. */
export function coversResource(
  rule: AccessRule,
  { verb, group, resource }: Pick<AccessRequest, 'verb' | 'group' | 'resource'>,
): boolean {
  return (
    includesOrAll(rule.verbs, verb) &&
    includesOrAll(rule.apiGroups, group) &&
    rule.resources.some((pattern) => matchesResource(pattern, resource))
  );
}

/** The names for which a rule covers a request: null for every name, an empty list for none. */
export function coveredNames(rule: AccessRule, request: AccessRequest): readonly string[] | null {
  if (!coversResource(rule, request)) return [];
  const names = namesOf(rule);
  if (names === null || request.name === undefined) return names;
  return request.name !== null && names.includes(request.name) ? null : [];
}

/**
 * Whether a pattern of `resources` covers a resource: `*` everything, `<plural>` the items alone, `<plural>/*` all subresources of a
 * kind, and a subresource of `*` that one of all kinds.
 */
export function matchesResource(pattern: string, resource: string): boolean {
  if (pattern === '*' || pattern === resource) return true;
  const [plural, subresource] = pattern.split('/');
  const [wantedPlural, wantedSubresource] = resource.split('/');
  if (subresource === undefined || wantedSubresource === undefined) return false;
  return (
    (plural === '*' || plural === wantedPlural) && (subresource === '*' || subresource === wantedSubresource)
  );
}

/** Whether a list of a rule has the value: its groups or its verbs, in which `*` stands for every one. */
export function includesOrAll(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}
