import { Problem } from '@platform/kernel';
import { type Collection, type GroupKind, servedVersion } from '../model/definition.ts';
import {
  type CollectionPath,
  malformedPath,
  revisionOf,
  subresourceOf,
  subresourceWords,
} from '../model/path.ts';
import type { PathStep, ResolvedTarget, ResourceRef } from '../model/target.ts';

/**
 * Finds the item or collection that a path means. `collection` is the one with the group and plural of the path, null when no kind is
 * registered there. Throws `unknown_collection`, then `malformed_path` for a wrong number of names.
 */
export function resolveTarget(path: CollectionPath, collection: Collection | null): ResolvedTarget {
  const { group, version } = path;
  if (path.form === 'uid') {
    const form = path.subresource ?? 'item';
    if (collection !== null) requireServed(collection, version);
    const ref: ResourceRef =
      collection === null
        ? { by: 'unregistered', uid: path.uid, apiVersion: `${group}/${version}` }
        : { by: 'uid', uid: path.uid, group: collection.group, kind: collection.kind };
    return { form, ref, revision: path.revision, collection, version };
  }
  if (collection === null || collection.ancestors === null) throw unknownCollection(path);
  requireServed(collection, version);
  return resolveNames(path.names, collection, collection.ancestors, version);
}

/**
 * As many names as the collection has ancestors mean the collection, one more means an item, and a keyword after that a subresource.
 * Only the number of names decides, so a resource may have the name of a keyword.
 */
function resolveNames(
  names: readonly string[],
  collection: Collection,
  ancestors: readonly GroupKind[],
  version: string,
): ResolvedTarget {
  const { group, kind, plural } = collection;
  const depth = ancestors.length;
  if (names.length < depth) {
    throw malformedPath(`${plural} takes ${depth} ancestor name(s), the path has ${names.length}.`);
  }
  const steps = ancestors.map((ancestor, index) => stepTo(ancestor, names[index] ?? ''));
  const [name, keyword] = [names[depth], names[depth + 1]];
  if (name === undefined) {
    return { form: 'collection', ref: { group, kind, ancestors: steps }, collection, version };
  }
  const ref: ResourceRef = { by: 'path', steps: [...steps, stepTo(collection, name)] };
  if (keyword === undefined) return { form: 'item', ref, revision: null, collection, version };
  const form = subresourceOf(keyword);
  const revision = form === 'history' ? revisionOf(names.slice(depth + 2)) : null;
  if (form === null || (names.length > depth + 2 && revision === null)) {
    throw malformedPath(`${plural} takes ${depth + 1} name(s), then ${subresourceWords}.`);
  }
  return { form, ref, revision, collection, version };
}

function stepTo({ group, kind }: GroupKind, name: string): PathStep {
  return { group, kind, name };
}

function requireServed(collection: Collection, version: string): void {
  const { group, plural } = collection;
  if (servedVersion(collection, version) === null) throw unknownCollection({ group, version, plural });
}

function unknownCollection(path: { group: string; version: string; plural: string }): Problem {
  const { group, version, plural } = path;
  return new Problem('unknown_collection', `No collection ${group}/${version}/${plural} is served.`);
}
