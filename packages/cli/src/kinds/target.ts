import type { Collection, ItemKey, PlatformClient, Resource } from '@platform/client';
import { Failure } from '../failure.ts';
import type { Catalog } from './catalog.ts';
import { type Kind, pathOf } from './kind.ts';
import { namesOf, splitWords } from './words.ts';

/** What a person names: a kind, and resources of it. */
export interface Target {
  readonly kind: Kind;
  /** The version to work at. */
  readonly version: string | undefined;
  /** The kinds above it, the root-most first. */
  readonly within: readonly Kind[];
  /** Names from the root on: those of ancestors, and perhaps the resource's own. */
  readonly names: readonly string[];
  /** Given instead of names. */
  readonly uid: string | undefined;
}

/**
 * Reads `page/blog/news/hello`, `page blog/news/hello` or `page blog news hello`, `page uid:<uuid>`, and names of ancestors from
 * `--in`. Throws a Failure when there are more names than the kind has levels.
 */
export function readTarget(catalog: Catalog, words: readonly string[], within?: string): Target {
  const { word, rest } = splitWords(words);
  const { kind, version } = catalog.resolve(word);
  const above = catalog.ancestorsOf(kind);
  const uid = rest.length === 1 ? /^uid:(.+)$/.exec(rest[0] ?? '')?.[1] : undefined;
  if (uid !== undefined) return { kind, version, within: above, names: [], uid };
  const names = namesOf(rest, within);
  if (names.length > above.length + 1) {
    throw new Failure('usage', `${names.join('/')} has too many names`, `such as ${shapeOf(kind, above)}`);
  }
  return { kind, version, within: above, names, uid };
}

/** How a resource of the kind is named, such as `page/<site>/<section>/<name>`. */
export function shapeOf(kind: Kind, within: readonly Kind[]): string {
  const names = [...within.map((above) => above.kind.toLowerCase()), 'name'];
  return [kind.kind.toLowerCase(), ...names.map((name) => `<${name}>`)].join('/');
}

/** Whether it names one resource. */
export function isItem({ names, within, uid }: Target): boolean {
  return uid !== undefined || names.length === within.length + 1;
}

/** One resource, with the collection that it is in and its key there. */
export interface ItemTarget extends Target {
  readonly collection: Collection;
  readonly key: ItemKey;
}

/** The target as one resource; a Failure when it names a collection. */
export function requireItem(client: PlatformClient, target: Target): ItemTarget {
  if (!isItem(target)) {
    throw new Failure('usage', 'this needs one resource', `such as ${shapeOf(target.kind, target.within)}`);
  }
  const { kind, version, names, uid } = target;
  const collection = client.resources(pathOf(kind, version)).in(...names.slice(0, -1));
  return { ...target, collection, key: uid === undefined ? (names.at(-1) as string) : { uid } };
}

/** How people write the resource that was found: by the names that they gave, or when that was a UID, by its own. */
export function labelOfItem({ kind, names }: Target, { metadata }: Resource): string {
  return labelOf(kind.kind, names.length > 0 ? names : [metadata.name]);
}

/** How people write a resource: `page/blog/news/hello`. */
export function labelOf(kind: string, names: readonly string[]): string {
  return [kind.toLowerCase(), ...names].join('/');
}
