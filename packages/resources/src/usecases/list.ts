import type { Resource } from '../model/resource.ts';
import { continueToken, listLimit, readContinue, readLimit } from '../rules/page-query.ts';
import type { ResourcePorts } from './ports.ts';
import { ancestorMissing, type CollectionRequest, definitionOf } from './request.ts';

/** One page of a collection. */
export interface ResourcePage {
  readonly items: readonly Resource[];
  /** The token of the next page; null on the last. */
  readonly next: string | null;
}

/** Lists a collection by name. Throws `invalid_query`, and `not_found` for a missing ancestor. */
export async function listResources(
  { reader }: Pick<ResourcePorts, 'reader'>,
  request: CollectionRequest & { readonly query: URLSearchParams },
): Promise<ResourcePage> {
  const page = { limit: readLimit(request.query, listLimit), after: readContinue(request.query) };
  const result = await reader.list(request.ref, page, definitionOf(request));
  if (result.outcome === 'ancestorMissing') throw ancestorMissing();
  const last = result.items.at(-1);
  return { items: result.items, next: result.more && last !== undefined ? continueToken(last.name) : null };
}
