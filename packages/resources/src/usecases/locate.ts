import { Problem } from '@platform/kernel';
import { type Collection, servedVersion } from '../model/definition.ts';
import { type ParsedPath, requireMethod, resolveNames, type Target } from '../model/path.ts';
import type { CatalogEpoch } from '../ports/catalog-epoch.ts';
import type { CatalogView } from './definition-catalog.ts';

/** A path that has been found in the catalog. */
export interface Located {
  readonly target: Target;
  /** The version of the URL; answers show it. */
  readonly version: string;
  /** Null when no definition claims the kind: only recovery by UID is left (contract 2.12). */
  readonly collection: Collection | null;
  readonly epoch: CatalogEpoch;
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
  const { collection, epoch } = view;
  const located = { version: path.version, collection, epoch };
  if (path.form === 'uid') {
    const form = path.subresource ?? 'item';
    if (collection === null) {
      requireMethod(form, method);
      return {
        ...located,
        target: { form, ref: { by: 'orphan', uid: path.uid, apiVersion: `${path.group}/${path.version}` } },
      };
    }
    requireServed(collection, path.version);
    requireMethod(form, method);
    return {
      ...located,
      target: { form, ref: { by: 'uid', uid: path.uid, group: collection.group, kind: collection.kind } },
    };
  }
  if (collection === null || collection.ancestors === null) throw unknownCollection(path);
  requireServed(collection, path.version);
  const target = resolveNames(path.names, collection, collection.ancestors);
  requireMethod(target.form, method);
  return { ...located, target };
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
