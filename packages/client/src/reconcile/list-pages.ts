import type { PlatformClient } from '../client.ts';
import { isPlatformError } from '../http/platform-error.ts';
import type { KindPath } from '../model/paths.ts';
import type { ResourceList } from '../model/resource.ts';

/** One page of a collection, and the names of the ancestors of the collection. */
export interface CollectionPage {
  readonly ancestors: readonly string[];
  readonly page: ResourceList;
}

/**
 * Lists every resource of a kind, page by page, below every resource of its ancestor kinds (root first). It sends one request for
 * each page of each parent. A parent that is removed in the meantime counts as empty.
 */
export async function* listPages(
  client: PlatformClient,
  kind: KindPath,
  within: readonly KindPath[],
  signal?: AbortSignal,
): AsyncGenerator<CollectionPage, void, undefined> {
  yield* pagesBelow(client, [...within, kind], [], signal);
}

async function* pagesBelow(
  client: PlatformClient,
  kinds: readonly KindPath[],
  ancestors: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<CollectionPage, void, undefined> {
  const [kind, ...rest] = kinds;
  if (kind === undefined) return;
  try {
    for await (const page of client
      .resources(kind)
      .in(...ancestors)
      .pages({ signal })) {
      if (rest.length === 0) yield { ancestors, page };
      else
        for (const { metadata } of page.items)
          yield* pagesBelow(client, rest, [...ancestors, metadata.name], signal);
    }
  } catch (error) {
    if (ancestors.length > 0 && isPlatformError(error, 'not_found')) return;
    throw error;
  }
}
