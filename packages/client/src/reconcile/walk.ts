import type { PlatformClient } from '../client.ts';
import { isPlatformError } from '../http/platform-error.ts';
import type { KindPath } from '../model/paths.ts';
import type { ResourceList } from '../model/resource.ts';

/** One page of a collection, and where it is. */
export interface PlacedPage {
  readonly ancestors: readonly string[];
  readonly page: ResourceList;
}

/**
 * Every page of a kind, below every resource of its ancestor kinds (the root-most first). One request a page and parent: the
 * API lists a collection at a time. A parent that goes while it is walked has nothing below it.
 */
export async function* walk(
  client: PlatformClient,
  kind: KindPath,
  within: readonly KindPath[],
  signal?: AbortSignal,
): AsyncGenerator<PlacedPage, void, undefined> {
  yield* below(client, [...within, kind], [], signal);
}

async function* below(
  client: PlatformClient,
  chain: readonly KindPath[],
  ancestors: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<PlacedPage, void, undefined> {
  const [kind, ...rest] = chain;
  if (kind === undefined) return;
  try {
    for await (const page of client
      .resources(kind)
      .in(...ancestors)
      .pages({ signal })) {
      if (rest.length === 0) yield { ancestors, page };
      else
        for (const { metadata } of page.items)
          yield* below(client, rest, [...ancestors, metadata.name], signal);
    }
  } catch (error) {
    if (ancestors.length > 0 && isPlatformError(error, 'not_found')) return;
    throw error;
  }
}
