/** A kind at one of its versions, as the path names it. */
export interface KindPath {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** An item: its name below the collection's ancestors, or its UID, which needs no ancestors. */
export type ItemKey = string | { readonly uid: string };

/** What of an item is meant, if not the item itself. */
export type Subresource = 'status' | 'finalizers' | 'deletion-blockers';

const resources = '/api/v1/resources';

/** The path of the tombstones of all kinds. */
export const pendingDeletionPath = `${resources}/pending-deletion`;

/** The path of a collection below its ancestors, the root-most first. */
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
  // The colon is part of the grammar, and the UID is judged by the server.
  const base = `${join([kind.group, kind.version, kind.plural])}/uid:${encodeURIComponent(key.uid)}`;
  return last.length === 0 ? base : `${base}/${subresource}`;
}

// An empty segment would name something else: a list instead of an item.
function join(segments: readonly string[]): string {
  if (segments.some((segment) => segment === '')) throw new TypeError('a name in a path is empty');
  return `${resources}/${segments.map(encodeURIComponent).join('/')}`;
}
