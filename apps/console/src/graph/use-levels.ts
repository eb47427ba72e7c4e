import { useQuery } from '@tanstack/react-query';
import { RequestError, request } from '../api/http.ts';
import { type Kind, type KindRegistry, preferredVersion } from '../api/kinds.ts';
import { collectionPath, type Resource } from '../api/resource.ts';
import type { Level } from './graph.ts';

/** Resources of one kind that are read for a drawing; groups of more say so. */
const mostItems = 500;
/** Each kind of a level is a request. */
const mostKinds = 12;

interface KindBelow {
  readonly kind: Kind;
  readonly parent: Kind;
  /** 2 for grandchildren. */
  readonly level: number;
}

/** The kinds below the children of a kind, down to a level, nearest first. */
function kindsBelow(registry: KindRegistry, center: Kind, depth: number): readonly KindBelow[] {
  const found: KindBelow[] = [];
  let parents: readonly Kind[] = registry.childrenOf(center);
  for (let level = 2; level <= depth; level += 1) {
    const next = parents.flatMap((parent) =>
      registry.childrenOf(parent).map((kind) => ({ kind, parent, level })),
    );
    found.push(...next);
    parents = next.map(({ kind }) => kind);
  }
  return found;
}

/** The levels below the children of a resource, with one request for each kind and none for a resource. */
export function useLevels(
  registry: KindRegistry,
  center: { readonly kind: Kind; readonly names: readonly string[]; readonly revision: number },
  depth: number,
) {
  const all = kindsBelow(registry, center.kind, depth);
  const kinds = all.slice(0, mostKinds);
  const paths = kinds.map(({ kind, level }) =>
    collectionPath({
      group: kind.group,
      version: preferredVersion(kind),
      plural: kind.plural,
      ancestors: [...center.names, ...Array.from({ length: level - 1 }, () => '-')],
    }),
  );
  return useQuery({
    queryKey: ['levels', paths, center.revision],
    queryFn: async ({ signal }): Promise<readonly Level[]> => {
      const levels = await Promise.all(
        paths.map(async (path, at) => levelOf(kinds[at]?.parent.kind ?? '', path, signal)),
      );
      return levels.map((level) => ({ ...level, isCut: level.isCut || all.length > kinds.length }));
    },
  });
}

/** Resources that the caller may not list are neither drawn nor counted. */
async function levelOf(parentKind: string, path: string, signal: AbortSignal): Promise<Level> {
  try {
    const page = await request<{ items: Resource[]; metadata: { continue?: string } }>(
      `${path}?view=metadata&limit=${mostItems}`,
      { signal },
    );
    const items = page.items.map(({ apiVersion, kind, metadata }) => ({
      apiVersion,
      kind,
      name: metadata.name,
      uid: metadata.uid,
      ancestors: metadata.ancestors,
      deleting: metadata.deletionTimestamp !== undefined,
    }));
    return { parentKind, items, isCut: page.metadata.continue !== undefined };
  } catch (error) {
    if (error instanceof RequestError && error.status === 403) return { parentKind, items: [], isCut: false };
    throw error;
  }
}
