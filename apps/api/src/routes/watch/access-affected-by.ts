import type { ChangeEntry } from '@platform/change-log';
import {
  type GroupKind,
  groupOf,
  isOfKind,
  platformGroup,
  resourceDefinitions,
  storedDefinitionSpec,
} from '@platform/resources';

/** Kinds that say who may do what: a change of one of them may concern every stream. */
const accessKinds: ReadonlySet<string> = new Set(['Role', 'RoleBinding']);

/** The streams whose callers may have lost their access by a change: a definition says which controllers may see its kind, and at which versions. */
export function accessAffectedBy({ resource }: ChangeEntry): GroupKind | 'all' | null {
  if (groupOf(resource.apiVersion) !== platformGroup) return null;
  if (isOfKind(resource, resourceDefinitions)) {
    const { group, kind } = storedDefinitionSpec(resource);
    return { group, kind };
  }
  return accessKinds.has(resource.kind) ? 'all' : null;
}
