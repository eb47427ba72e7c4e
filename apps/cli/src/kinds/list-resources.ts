import type { ListOptions, PlatformClient, Resource } from 'platform-service-client';
import { pathOf } from './kind.ts';
import type { Target } from './target.ts';

/** A resource with the names of its ancestors, root first. */
export interface LocatedResource {
  readonly ancestors: readonly string[];
  readonly resource: Resource;
}

/** Lists the resources of a target: one collection, or, when names are left out, those of all parents, with the same number of requests. */
export async function* listResources(
  client: PlatformClient,
  { kind, version, within, names }: Pick<Target, 'kind' | 'version' | 'within' | 'names'>,
  options: Omit<ListOptions, 'limit'>,
): AsyncGenerator<LocatedResource, void, undefined> {
  const unnamed = within.slice(names.length).map(() => '-');
  const collection = client.resources(pathOf(kind, version)).in(...names, ...unnamed);
  for await (const resource of collection.list({ limit: 1000, ...options })) {
    yield { ancestors: resource.metadata.ancestors, resource };
  }
}
