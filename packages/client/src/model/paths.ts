/** A kind at one of its versions, as it appears in the path. */
export interface KindPath {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** Identifies an item by its name below the collection's ancestors, or by its UID, which needs no ancestors. */
export type ItemKey = string | { readonly uid: string };

/** The subresources of an item. */
export type Subresource =
  | 'status'
  | 'finalizers'
  | 'deletion-blockers'
  | 'explain'
  | 'deletion-plan'
  | 'history'
  | 'restore';

const resources = '/api/v1/resources';

/** The path that lists the tombstones of all kinds. */
export const pendingDeletionPath = `${resources}/pending-deletion`;

/** The path of a collection below its ancestors, root first. */
export function collectionPath({ group, version, plural }: KindPath, ancestors: readonly string[]): string {
  return join([group, version, plural, ...ancestors]);
}

/** The path of an item or of one of its subresources. */
export function itemPath(
  kind: KindPath,
  ancestors: readonly string[],
  key: ItemKey,
  subresource?: Subresource,
): string {
  const last = subresource === undefined ? [] : [subresource];
  if (typeof key === 'string')
    return join([kind.group, kind.version, kind.plural, ...ancestors, key, ...last]);
  // The colon must not be encoded. The server validates the UID.
  const base = `${join([kind.group, kind.version, kind.plural])}/uid:${encodeURIComponent(key.uid)}`;
  return last.length === 0 ? base : `${base}/${subresource}`;
}

// An empty segment would change the meaning of the path: a list instead of an item.
function join(segments: readonly string[]): string {
  if (segments.some((segment) => segment === ''))
    throw new TypeError('an empty name is not allowed in a resource path');
  return `${resources}/${segments.map(encodeURIComponent).join('/')}`;
}
