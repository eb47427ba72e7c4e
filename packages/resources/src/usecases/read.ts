import { actorOf } from '../model/caller.ts';
import type { Resource } from '../model/resource.ts';
import { definitionOf, type ItemTarget } from '../model/target.ts';
import type { BlockerReport } from '../ports/resource-reader.ts';
import { continueToken } from '../rules/paging.ts';
import {
  ancestorMissing,
  auditIdentity,
  type CollectionRequest,
  type ItemRequest,
  notFound,
  type RequestContext,
  type ResourcePorts,
} from './request.ts';

/** The most blockers in one report. */
const maxBlockers = 1000;

/** Reads one item, terminating or not. Throws `not_found`. */
export async function getResource(
  { reader }: Pick<ResourcePorts, 'reader'>,
  { target }: ItemRequest,
): Promise<Resource> {
  return (await readItem({ reader }, target)).resource;
}

/** Reads one item with the point of the change log at which it was read. Throws `not_found`. */
export async function readItem(
  { reader }: Pick<ResourcePorts, 'reader'>,
  target: ItemTarget,
): Promise<{ readonly resource: Resource; readonly cursor: string }> {
  const { resource, cursor } = await reader.get(target.ref, definitionOf(target));
  if (resource === null) throw notFound();
  return { resource, cursor };
}

/** One page of a collection. */
export interface ResourcePage {
  readonly items: readonly Resource[];
  /** The token of the next page; null on the last. */
  readonly next: string | null;
  /** The point of the change log at which the page was read. */
  readonly cursor: string;
}

/** Lists a collection by name, from the name after `after`. Throws `not_found` when an ancestor is missing. */
export async function listResources(
  { reader }: Pick<ResourcePorts, 'reader'>,
  request: CollectionRequest & { readonly limit: number; readonly after: string | null },
): Promise<ResourcePage> {
  const { target, limit, after } = request;
  const result = await reader.list(target.ref, { limit, after }, definitionOf(target));
  if (result.outcome === 'ancestorMissing') throw ancestorMissing();
  const last = result.items.at(-1);
  return {
    items: result.items,
    next: result.more && last !== undefined ? continueToken(last.name) : null,
    cursor: result.cursor,
  };
}

/** Lists terminating resources of all kinds, oldest deletion first, ties by uid. */
export async function listPendingDeletion(
  { reader, audit }: Pick<ResourcePorts, 'reader' | 'audit'>,
  { caller, requestId, limit }: RequestContext & { readonly limit: number },
): Promise<readonly Resource[]> {
  const items = await reader.pendingDeletion(limit);
  audit.record({
    message: 'resource.pending_deletion_listed',
    requestId,
    actor: actorOf(caller),
    details: { count: items.length },
  });
  return items;
}

/** Lists the dependents that block the deletion of an item. Throws `not_found`. */
export async function explainBlockers(
  { reader, audit }: Pick<ResourcePorts, 'reader' | 'audit'>,
  { caller, requestId, target }: ItemRequest,
): Promise<BlockerReport> {
  const report = await reader.blockers(target.ref, maxBlockers, definitionOf(target));
  if (report.outcome === 'missing') throw notFound();
  audit.record({
    message: 'resource.deletion_blockers_listed',
    requestId,
    actor: actorOf(caller),
    ...auditIdentity(report.resource),
  });
  return report;
}
