import type { Collection, ItemKey, PlatformClient, Resource } from 'platform-service-client';
import { Failure } from '../failure.ts';
import type { Catalog } from './catalog.ts';
import { type Kind, pathOf } from './kind.ts';

/** The kind, and the resource or collection, that the words of a command name. */
export interface Target {
  readonly kind: Kind;
  /** The requested version; undefined for the usual one. */
  readonly version: string | undefined;
  /** The ancestor kinds, root first. */
  readonly within: readonly Kind[];
  /** Names, root first: those of ancestors, and possibly the resource's own. */
  readonly names: readonly string[];
  /** Given instead of names. */
  readonly uid: string | undefined;
}

/** Splits words such as `page/blog/news` or `page blog news` into the kind and the names. */
export function splitWords(words: readonly string[]): {
  readonly word: string;
  readonly rest: readonly string[];
} {
  const [word = '', ...rest] = words.join('/').split('/');
  if (word === '') throw new Failure('usage', 'missing argument: kind', 'platform kinds lists the kinds');
  return { word, rest };
}

/**
 * The names, root first: those of `--in`, then those of the words. A slash at the end is ignored, because shell completion adds one.
 * Throws a Failure when a name is empty.
 */
export function namesOf(rest: readonly string[], within?: string): readonly string[] {
  const given = rest.at(-1) === '' ? rest.slice(0, -1) : rest;
  const names = [...(within === undefined ? [] : within.replace(/\/$/, '').split('/')), ...given];
  if (names.includes('')) throw new Failure('usage', `empty name in ${names.join('/')}`);
  return names;
}

/**
 * Reads `page/blog/news/hello`, `page blog/news/hello`, `page blog news hello` or `page uid:<uuid>`, with the names of ancestors in
 * `--in`. Throws a Failure when there are more names than the kind has levels.
 */
export function readTarget(catalog: Catalog, words: readonly string[], within?: string): Target {
  const { word, rest } = splitWords(words);
  const { kind, version } = catalog.resolve(word);
  const ancestors = catalog.ancestorsOf(kind);
  const uid = rest.length === 1 ? /^uid:(.+)$/.exec(rest[0] ?? '')?.[1] : undefined;
  if (uid !== undefined) return { kind, version, within: ancestors, names: [], uid };
  const names = namesOf(rest, within);
  if (names.length > ancestors.length + 1) {
    throw new Failure('usage', `too many names: ${names.join('/')}`, `expected ${shapeOf(kind, ancestors)}`);
  }
  return { kind, version, within: ancestors, names, uid };
}

/** The notation of a resource of the kind, such as `page/<site>/<section>/<name>`. */
export function shapeOf(kind: Kind, within: readonly Kind[]): string {
  const names = [...within.map((ancestor) => ancestor.kind.toLowerCase()), 'name'];
  return [kind.kind.toLowerCase(), ...names.map((name) => `<${name}>`)].join('/');
}

/** Whether the target is one resource, not a collection. */
export function isItem({ names, within, uid }: Target): boolean {
  return uid !== undefined || names.length === within.length + 1;
}

/** A target that is one resource, with its collection and its key there. */
export interface ItemTarget extends Target {
  readonly collection: Collection;
  readonly key: ItemKey;
}

/** Throws a Failure when the target is a collection. */
export function requireItem(client: PlatformClient, target: Target): ItemTarget {
  if (!isItem(target)) {
    throw new Failure(
      'usage',
      'this command needs the name of one resource',
      `expected ${shapeOf(target.kind, target.within)}`,
    );
  }
  const { kind, version, names, uid } = target;
  const collection = client.resources(pathOf(kind, version)).in(...names.slice(0, -1));
  return { ...target, collection, key: uid === undefined ? (names.at(-1) as string) : { uid } };
}

/** The notation of a found resource: the names that the user gave, or its own name when the user gave a UID. */
export function labelOfItem({ kind, names }: Target, { metadata }: Resource): string {
  return labelOf(kind.kind, names.length > 0 ? names : [metadata.name]);
}

/** The notation of a resource: `page/blog/news/hello`. */
export function labelOf(kind: string, names: readonly string[]): string {
  return [kind.toLowerCase(), ...names].join('/');
}
