import type { CallOptions, KindPath, ListOptions, PlatformClient, Resource } from 'platform-service-client';
import { isPlatformError } from 'platform-service-client';
import { pathOf } from './kind.ts';
import type { Target } from './target.ts';

/** A resource with the names of its ancestors, root first. */
export interface LocatedResource {
  readonly ancestors: readonly string[];
  readonly resource: Resource;
}

/** Lists the resources of a target: one collection, or, when names are left out, every collection below them. */
export async function* listResources(
  client: PlatformClient,
  { kind, version, within, names }: Pick<Target, 'kind' | 'version' | 'within' | 'names'>,
  options: Omit<ListOptions, 'limit'>,
): AsyncGenerator<LocatedResource, void, undefined> {
  const unnamed = within.slice(names.length).map((ancestor) => pathOf(ancestor));
  yield* listBelow(client, [...unnamed, pathOf(kind, version)], names, options);
}

async function* listBelow(
  client: PlatformClient,
  [kind, ...rest]: readonly KindPath[],
  ancestors: readonly string[],
  options: Omit<ListOptions, 'limit'>,
): AsyncGenerator<LocatedResource, void, undefined> {
  if (kind === undefined) return;
  for await (const resource of client
    .resources(kind)
    .in(...ancestors)
    .list({ limit: 1000, ...(rest.length === 0 ? options : onlySignal(options)) })) {
    if (rest.length === 0) {
      yield { ancestors, resource };
      continue;
    }
    try {
      yield* listBelow(client, rest, [...ancestors, resource.metadata.name], options);
    } catch (error) {
      // The parent was removed after it was listed.
      if (!isPlatformError(error, 'not_found')) throw error;
    }
  }
}

/** Selectors are for the resources that are shown, not for the ancestors on the way. */
function onlySignal({ signal }: CallOptions): CallOptions {
  return { signal };
}
