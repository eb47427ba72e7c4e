import type { CallOptions, KindPath, PlatformClient, Resource } from '@platform/client';
import { isPlatformError } from '@platform/client';
import { pathOf } from './kind.ts';
import type { Target } from './target.ts';

/** A resource and the names above it. */
export interface Placed {
  readonly ancestors: readonly string[];
  readonly resource: Resource;
}

/** Every resource that the target covers: of one collection, or where names are left out, of every collection there is. */
export async function* walk(
  client: PlatformClient,
  { kind, version, within, names }: Pick<Target, 'kind' | 'version' | 'within' | 'names'>,
  options: CallOptions,
): AsyncGenerator<Placed, void, undefined> {
  const open = within.slice(names.length).map((above) => pathOf(above));
  yield* below(client, [...open, pathOf(kind, version)], names, options);
}

async function* below(
  client: PlatformClient,
  [kind, ...rest]: readonly KindPath[],
  ancestors: readonly string[],
  options: CallOptions,
): AsyncGenerator<Placed, void, undefined> {
  if (kind === undefined) return;
  for await (const resource of client
    .resources(kind)
    .in(...ancestors)
    .list({ limit: 1000, ...options })) {
    if (rest.length === 0) {
      yield { ancestors, resource };
      continue;
    }
    try {
      yield* below(client, rest, [...ancestors, resource.metadata.name], options);
    } catch (error) {
      // It was there a moment ago.
      if (!isPlatformError(error, 'not_found')) throw error;
    }
  }
}
