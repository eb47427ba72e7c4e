import { isUnrestricted, scopesOf } from '../model/access-guard.ts';
import { actorOf } from '../model/caller.ts';
import type { View } from '../model/envelope.ts';
import type { Resource } from '../model/resource.ts';
import { sealedMemberOf } from '../model/sealed-spec.ts';
import { isAcrossParents, type PagePosition, positionOf } from '../model/selection.ts';
import { ancestorMissing, definitionOf, notFound, type ResolvedTarget } from '../model/target.ts';
import type { BlockerReport } from '../ports/resource-reader.ts';
import {
  deletionToken,
  pageToken,
  parseDeletionToken,
  parsePageToken,
  parsePlainPageToken,
  parseSealedPageToken,
  sealedPageToken,
} from '../rules/continue-token.ts';
import { bindingOf, type Selectors } from '../rules/parse-selectors.ts';
import {
  auditIdentity,
  type CollectionRequest,
  type ItemRequest,
  type RequestContext,
  type ResourcePorts,
} from './request.ts';
import { shownTo } from './sealed.ts';
import { visibleTo } from './visibility.ts';

/** The most blockers in one report. */
const maxBlockers = 1000;

/** Reads one item as it is stored, terminating or not. Throws `not_found`. */
export async function getResource(
  { reader }: Pick<ResourcePorts, 'reader'>,
  { target }: ItemRequest,
): Promise<Resource> {
  const { resource } = await reader.get(target.ref, definitionOf(target));
  if (resource === null) throw notFound();
  return resource;
}

/** Validates the body of a write of an item. Faults of the body are told only when the item exists: otherwise it throws `not_found`. */
export async function validateBodyOf<Body>(
  ports: Pick<ResourcePorts, 'reader'>,
  request: ItemRequest,
  validate: () => Body,
): Promise<Body> {
  try {
    return validate();
  } catch (error) {
    await getResource(ports, request);
    throw error;
  }
}

/** Reads one item as the caller may see it, with the point of the change log at which it was read. Throws `not_found`. */
export async function readItem(
  ports: Pick<ResourcePorts, 'reader' | 'sealer'>,
  { caller, target, view }: ItemRequest & { readonly view?: View },
): Promise<{ readonly resource: Resource; readonly cursor: string }> {
  const { resource, cursor } = await ports.reader.get(target.ref, definitionOf(target));
  if (resource === null) throw notFound();
  return { resource: showsSealed(target, view) ? shownTo(ports, caller, resource) : resource, cursor };
}

/** Whether an answer has values that only some callers read. A kind that is not registered has none. */
function showsSealed({ collection }: ResolvedTarget, view: View | undefined): boolean {
  return view !== 'metadata' && collection !== null && sealedMemberOf(collection) !== null;
}

/** One page of a collection. */
export interface ResourcePage {
  readonly items: readonly Resource[];
  /** The token of the next page; null on the last. */
  readonly next: string | null;
  /** The point of the change log at which the page was read. */
  readonly cursor: string;
}

/** A request for a page of a collection. */
export interface ListRequest extends CollectionRequest {
  readonly limit: number;
  /** The continue tokens that the client sent: none or one. */
  readonly continue: readonly string[];
  readonly selectors: Selectors;
  /** `full` unless told. Without the spec, no value is opened. */
  readonly view?: View;
}

/**
 * Lists a collection, or one across parents, ordered by the names of the ancestors and then by name. Throws `not_found` when an ancestor
 * is missing, and `invalid_query` for a token of another list.
 */
export async function listResources(
  ports: Pick<ResourcePorts, 'reader' | 'sealer'>,
  request: ListRequest,
): Promise<ResourcePage> {
  const { caller, target, view, selectors } = request;
  const { labels, fields } = selectors;
  const selects = isAcrossParents(target.ref) || labels.length > 0 || fields.length > 0;
  const page = selects ? await selectPage(ports, request) : await childrenPage(ports, request);
  if (!showsSealed(target, view)) return page;
  return { ...page, items: page.items.map((item) => shownTo(ports, caller, item)) };
}

/** A page of everything in one collection. */
async function childrenPage(
  { reader }: Pick<ResourcePorts, 'reader'>,
  { target, limit, continue: tokens, selectors }: ListRequest,
): Promise<ResourcePage> {
  const binding = bindingOf(target, selectors);
  const after = parsePlainPageToken(tokens, binding);
  const page = await reader.list(target.ref, { limit, after }, definitionOf(target));
  if (page.outcome === 'ancestorMissing') throw ancestorMissing();
  const { items, more, cursor } = page;
  const last = items.at(-1);
  return { items, next: more && last !== undefined ? pageToken(binding, positionOf(last)) : null, cursor };
}

/** A page of a list across parents or with selectors: it may end at a row that it does not show. */
async function selectPage(
  { reader, sealer }: Pick<ResourcePorts, 'reader' | 'sealer'>,
  { target, limit, continue: tokens, selectors }: ListRequest,
): Promise<ResourcePage> {
  const { ref } = target;
  const { access: guard } = ref;
  const binding = bindingOf(target, selectors);
  // Below a parent that the guard admits, no row needs a look.
  const showsPart = ref.ancestors.length === 0 || isAcrossParents(ref);
  const scopes = guard === undefined || isUnrestricted(guard) || !showsPart ? null : scopesOf(guard);
  const after =
    guard === undefined ? parsePageToken(tokens, binding) : parseSealedPageToken(sealer, tokens, binding);
  const selection = { collection: ref, ...selectors, scopes, guard };
  const page = await reader.select(selection, { limit, after }, definitionOf(target));
  if (page.outcome === 'ancestorMissing') throw ancestorMissing();
  const tokenOf = (position: PagePosition) =>
    guard === undefined ? pageToken(binding, position) : sealedPageToken(sealer, binding, position);
  return { items: page.items, next: page.next && tokenOf(page.next), cursor: page.cursor };
}

/** Lists a page of terminating resources of all kinds, oldest deletion first, ties by uid. Throws `invalid_query` for a token. */
export async function listPendingDeletion(
  { reader, audit }: Pick<ResourcePorts, 'reader' | 'audit'>,
  {
    caller,
    requestId,
    limit,
    continue: tokens,
  }: RequestContext & { readonly limit: number; readonly continue: readonly string[] },
): Promise<{ readonly items: readonly Resource[]; readonly next: string | null }> {
  const { items, more } = await reader.pendingDeletion({ limit, after: parseDeletionToken(tokens) });
  audit.record({
    message: 'resource.pending_deletion_listed',
    requestId,
    actor: actorOf(caller),
    details: { count: items.length },
  });
  const last = items.at(-1);
  if (!more || last === undefined || last.deletionTimestamp === null) return { items, next: null };
  return { items, next: deletionToken({ time: last.deletionTimestamp, uid: last.uid }) };
}

/** Lists the dependents that block the deletion of an item, without those that the caller may not see. Throws `not_found`. */
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
  const found = report.blockers;
  const isVisible = await visibleTo(
    { reader },
    caller,
    found.map(({ resource }) => resource),
  );
  return { ...report, blockers: found.filter(({ resource }) => isVisible(resource)) };
}
