import type { BatchOperation, BatchResult, PlatformClient, Resource } from 'platform-service-client';
import { isPlatformError } from 'platform-service-client';
import { sameJson } from '../json.ts';
import type { Catalog } from '../kinds/catalog.ts';
import { pathOf } from '../kinds/kind.ts';
import { labelOf } from '../kinds/target.ts';
import type { ApplyResult } from './apply-one.ts';
import { creationOf, type ResourceDocument } from './document.ts';
import { desiredState, mergeDocument, unknownMembers } from './merge-document.ts';
import { resolveDocument } from './resolve-document.ts';

/** How documents become writes. */
export interface PlanDeps {
  readonly client: PlatformClient;
  readonly catalog: Catalog;
  /** The ancestors of documents without `in`. */
  readonly within: readonly string[];
  /** Applies on the server, as this field manager; null merges here and replaces. */
  readonly serverSide: { readonly fieldManager: string; readonly force: boolean } | null;
  readonly signal: AbortSignal;
}

/** One write of the command, and what is printed about it. */
export interface PlannedWrite {
  readonly label: string;
  readonly source: string;
  readonly before: Resource | null;
  /** Null when there is nothing to write. */
  readonly operation: BatchOperation | null;
}

/** The write that makes the server match one document. */
export async function planWrite(document: ResourceDocument, deps: PlanDeps): Promise<PlannedWrite> {
  const { client, catalog, within, serverSide, signal } = deps;
  const { kind, version, ancestors } = resolveDocument(document, catalog, within);
  const collection = client.resources(pathOf(kind, version)).in(...ancestors);
  const label = labelOf(document.kind, [...ancestors, document.name]);
  const { source } = document;
  const before = await collection.get(document.name, { signal }).catch((error: unknown) => {
    // Another document of the batch may create the parent, or register the kind.
    if (isPlatformError(error, 'not_found', 'unknown_collection')) return null;
    throw error;
  });
  const path = collection.path(document.name);
  if (serverSide !== null) {
    const query = new URLSearchParams({ fieldManager: serverSide.fieldManager });
    if (serverSide.force) query.set('force', 'true');
    const headers = { 'Content-Type': 'application/apply-patch+yaml' };
    const operation = {
      method: 'PATCH',
      path: `${path}?${query}`,
      headers,
      body: creationOf(document),
    } as const;
    return { label, source, before, operation };
  }
  if (before === null) {
    const operation = { method: 'POST', path: collection.path(), body: creationOf(document) } as const;
    return { label, source, before, operation };
  }
  const { status: _, ...body } = {
    ...mergeDocument(before, document),
    apiVersion: document.apiVersion,
  } as Resource;
  const isSame =
    sameJson(desiredState(body), desiredState(before)) && unknownMembers(before, document).isEmpty;
  return { label, source, before, operation: isSame ? null : { method: 'PUT', path, body } };
}

/** The outcome of a write, by its answer. */
export function resultOf(
  { label, before, operation }: PlannedWrite,
  answer: BatchResult | null,
): ApplyResult {
  const was = before === null ? null : desiredState(before);
  if (operation === null || answer === null)
    return { label, outcome: 'unchanged', before: was, after: was ?? {} };
  const stored = answer.body as Resource;
  const after = desiredState(stored);
  if (was === null) return { label, outcome: 'created', before: null, after };
  return { label, outcome: sameJson(was, after) ? 'unchanged' : 'configured', before: was, after };
}

/** Deletions of resources that this field manager applied before to the collections of the documents, and that are no longer in any document. */
export async function planPrune(
  documents: readonly ResourceDocument[],
  deps: PlanDeps,
  fieldManager: string,
): Promise<readonly PlannedWrite[]> {
  const collections = new Map<string, { readonly names: Set<string>; readonly document: ResourceDocument }>();
  const found = documents.map((document) => {
    const { kind, version, ancestors } = resolveDocument(document, deps.catalog, deps.within);
    const collection = deps.client.resources(pathOf(kind, version)).in(...ancestors);
    const path = collection.path();
    const known = collections.get(path) ?? { names: new Set<string>(), document };
    known.names.add(document.name);
    collections.set(path, known);
    return { path, collection, ancestors };
  });
  const writes: PlannedWrite[] = [];
  for (const [path, { names, document }] of collections) {
    const place = found.find((one) => one.path === path);
    if (place === undefined) continue;
    for await (const item of itemsOf(place.collection.list({ signal: deps.signal }))) {
      const { name, uid, managedFields = [], deletionTimestamp } = item.metadata;
      const isOurs = managedFields.some((one) => one.manager === fieldManager && one.operation === 'Apply');
      if (!isOurs || names.has(name) || deletionTimestamp !== undefined) continue;
      writes.push({
        label: labelOf(document.kind, [...place.ancestors, name]),
        source: 'prune',
        before: item,
        operation: { method: 'DELETE', path: `${place.collection.path(name)}?uid=${uid}` },
      });
    }
  }
  return writes;
}

/** The items of a collection; none while its parent or its kind does not exist. */
async function* itemsOf(items: AsyncIterable<Resource>): AsyncGenerator<Resource> {
  try {
    yield* items;
  } catch (error) {
    if (!isPlatformError(error, 'not_found', 'unknown_collection')) throw error;
  }
}
