import type { AccessRulesCache } from '@platform/access';
import type { ChangeEntry } from '@platform/change-log';
import {
  type GroupKind,
  groupOf,
  isOfKind,
  platformGroup,
  type Resource,
  resourceDefinitions,
  storedDefinitionSpec,
} from '@platform/resources';

/** Kinds that say who may do what: a change of one of them may concern every stream. */
const accessKinds: ReadonlySet<string> = new Set(['Role', 'RoleBinding']);

/**
 * Says which streams' callers may have lost their access by a change: a definition says which controllers may see its kind, and at which
 * versions; a binding whose scope is removed grants nothing.
 */
export function accessAffectedBy(
  access: Pick<AccessRulesCache, 'hasScope'>,
): (change: ChangeEntry) => GroupKind | 'all' | null {
  return ({ resource, removed }) =>
    removed && access.hasScope(resource.uid) ? 'all' : affectedByContent(resource);
}

function affectedByContent(resource: Resource): GroupKind | 'all' | null {
  if (groupOf(resource.apiVersion) !== platformGroup) return null;
  if (isOfKind(resource, resourceDefinitions)) {
    const { group, kind } = storedDefinitionSpec(resource);
    return { group, kind };
  }
  return accessKinds.has(resource.kind) ? 'all' : null;
}
