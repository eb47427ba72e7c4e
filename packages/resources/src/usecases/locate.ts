import { Problem } from '@platform/kernel';
import { type Collection, servedVersion } from '../model/definition.ts';
import { type ParsedPath, requireMethod, resolveNames, type Target } from '../model/path.ts';
import type { CatalogView } from './definition-catalog.ts';

/** A path that has been found in the catalog. */
export interface Located {
  readonly target: Target;
  /** The version of the URL; answers show it. */
  readonly version: string;
  /** Null when no definition claims the kind: only recovery by UID is left (contract 2.12). */
  readonly collection: Collection | null;
}

/**
 * Finds what a path addresses, in the order of contract 2.1: unknown collection or version (404), count of names (400), method (405).
 * Where the collection is unknown and the path goes by UID, the row itself decides.
 */
export function locate(
  path: Exclude<ParsedPath, { form: 'pendingDeletion' }>,
  view: CatalogView,
  method: string,
): Located {
  const { version } = path;
  const { collection } = view;
  const target = targetOf(path, collection);
  requireMethod(target.form, method);
  // Not spread from the view: V8 of Node.js 20 adds members behind a spread one by one, at 2 µs a request.
  return { target, version, collection };
}

function targetOf(
  path: Exclude<ParsedPath, { form: 'pendingDeletion' }>,
  collection: Collection | null,
): Target {
  if (path.form === 'uid') {
    const { uid, group, version, subresource } = path;
    const form = subresource ?? 'item';
    if (collection === null) return { form, ref: { by: 'orphan', uid, apiVersion: `${group}/${version}` } };
    requireServed(collection, version);
    return { form, ref: { by: 'uid', uid, group: collection.group, kind: collection.kind } };
  }
  if (collection === null || collection.ancestors === null) throw unknownCollection(path);
  requireServed(collection, path.version);
  return resolveNames(path.names, collection, collection.ancestors);
}

function requireServed(collection: Collection, version: string): void {
  if (servedVersion(collection, version) === null) {
    throw unknownCollection({ group: collection.group, version, plural: collection.plural });
  }
}

function unknownCollection({
  group,
  version,
  plural,
}: {
  group: string;
  version: string;
  plural: string;
}): Problem {
  return new Problem('unknown_collection', `No collection ${group}/${version}/${plural} is served.`);
}
