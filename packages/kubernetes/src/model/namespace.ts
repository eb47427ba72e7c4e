import type { Resource } from '@platform/resources';

/** The namespace of a resource: the names of its ancestors, root first, joined by a character that no name has. */

const separator = ':';

export const namespaceOfAncestors = (ancestors: readonly string[]): string => ancestors.join(separator);

/** Any text is an answer: a namespace with too many or too few names is one that does not exist. */
export const ancestorsOfNamespace = (namespace: string): string[] => namespace.split(separator);

/** The phase of a Namespace. */
export function phaseOf({ deletionTimestamp }: Pick<Resource, 'deletionTimestamp'>): string {
  return deletionTimestamp === null ? 'Active' : 'Terminating';
}
