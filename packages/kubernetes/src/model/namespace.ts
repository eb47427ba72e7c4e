import type { Resource } from '@platform/resources';

/** Joins the names of a namespace. No name has it. */
const separator = ':';

/** The namespace of a resource: the names of its ancestors, root first. */
export const namespaceOfAncestors = (ancestors: readonly string[]): string => ancestors.join(separator);

/** The ancestors that a namespace names, from any text: one with too many or too few names does not exist. */
export const ancestorsOfNamespace = (namespace: string): string[] => namespace.split(separator);

/** The phase of a Namespace. */
export function phaseOf({ deletionTimestamp }: Pick<Resource, 'deletionTimestamp'>): string {
  return deletionTimestamp === null ? 'Active' : 'Terminating';
}
