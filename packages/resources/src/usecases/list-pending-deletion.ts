import { actorOf } from '../model/caller.ts';
import type { Resource } from '../model/resource.ts';
import { pendingDeletionLimit, readLimit } from '../rules/page-query.ts';
import type { ResourcePorts } from './ports.ts';
import type { RequestContext } from './request.ts';

/** Lists the tombstones of all kinds, oldest first, ties by uid. Throws `invalid_query`. */
export async function listPendingDeletion(
  { reader, audit }: Pick<ResourcePorts, 'reader' | 'audit'>,
  { caller, requestId, query }: RequestContext & { readonly query: URLSearchParams },
): Promise<readonly Resource[]> {
  const items = await reader.pendingDeletion(readLimit(query, pendingDeletionLimit));
  audit.record({
    message: 'resource.pending_deletion_listed',
    requestId,
    actor: actorOf(caller),
    details: { count: items.length },
  });
  return items;
}
