import type {
  BatchOperation,
  BatchResult,
  Collection,
  PlatformClient,
  Resource,
} from 'platform-service-client';
import { isPlatformError } from 'platform-service-client';
import { Failure } from '../failure.ts';
import { sameJson } from '../json.ts';
import type { Catalog } from '../kinds/catalog.ts';
import { pathOf } from '../kinds/kind.ts';
import { labelOf } from '../kinds/target.ts';
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
  /** The parent of a new resource. */
  readonly parent?: string | undefined;
  /** Makes a replacement of the latest state, again when somebody else has written the resource since. */
  readonly replaceLatest?: () => Promise<Resource>;
}

/** The result of applying one document. */
export interface ApplyResult {
  readonly label: string;
  readonly outcome: 'created' | 'configured' | 'unchanged';
  /** The desired state before the change (null for a new resource) and after it. */
  readonly before: object | null;
  readonly after: object;
}

// Status writes also change the revision. A controller that writes often must not make `apply` fail.
const attempts = 50;

/** The write that makes the server match one document. */
export async function planWrite(document: ResourceDocument, deps: PlanDeps): Promise<PlannedWrite> {
  const { client, catalog, within, serverSide, signal } = deps;
  const { kind, version, ancestors, ancestorKinds } = resolveDocument(document, catalog, within);
  const collection = client.resources(pathOf(kind, version)).in(...ancestors);
  const label = labelOf(document.kind, [...ancestors, document.name]);
  const { source } = document;
  const before = await collection.get(document.name, { signal }).catch((error: unknown) => {
    // Another document may create the parent, or register the kind.
    if (isPlatformError(error, 'not_found', 'unknown_collection')) return null;
    throw error;
  });
  const planned = { label, source, before };
  if (before !== null) requireAsFileExpects(before, document, label);
  const path = collection.path(document.name);
  if (serverSide !== null) {
    const query = new URLSearchParams({ fieldManager: serverSide.fieldManager });
    if (serverSide.force) query.set('force', 'true');
    const headers = { 'Content-Type': 'application/apply-patch+yaml' };
    const body = before === null ? creationOf(document) : appliedOf(document);
    return { ...planned, operation: { method: 'PATCH', path: `${path}?${query}`, headers, body } };
  }
  if (before === null) {
    const parentKind = ancestorKinds.at(-1);
    const parent = parentKind === undefined ? undefined : labelOf(parentKind.kind, ancestors);
    const operation = { method: 'POST', path: collection.path(), body: creationOf(document) } as const;
    return { ...planned, operation, parent };
  }
  const merged = (current: Resource) => {
    requireAsFileExpects(current, document, label);
    // The response has the version of the path, which is the version of the document.
    return { ...mergeDocument(current, document), apiVersion: document.apiVersion };
  };
  const { status: _, ...body } = merged(before);
  const isSame =
    sameJson(desiredState(body), desiredState(before)) && unknownMembers(before, document).isEmpty;
  if (isSame) return { ...planned, operation: null };
  const replaceLatest = () => collection.update(document.name, merged, { attempts, signal });
  return { ...planned, operation: { method: 'PUT', path, body }, replaceLatest };
}

/** The configuration of a resource that exists; the server compares the revision, too. */
function appliedOf(document: ResourceDocument): Record<string, unknown> {
  const { revision } = document.metadata;
  const body = creationOf(document);
  if (revision === undefined || revision === null) return body;
  return { ...body, metadata: { ...(body['metadata'] as object), revision } };
}

/** Refuses a resource that is being deleted, and one that has not the revision of the file. */
function requireAsFileExpects({ metadata }: Resource, document: ResourceDocument, label: string): void {
  const { source } = document;
  if (metadata.deletionTimestamp !== undefined)
    throw new Failure(
      'conflict',
      `${source}: cannot apply ${label}: it is being deleted`,
      'apply it again after the deletion; platform pending shows its progress',
    );
  const { revision } = document.metadata;
  if (revision === undefined || revision === null || revision === metadata.revision) return;
  throw new Failure(
    'conflict',
    `${source}: ${label} is at revision ${metadata.revision}, but the file requires revision ${String(revision)}`,
    'read it again, or remove metadata.revision from the file',
  );
}

/** The outcome of a write, by its answer; null when it was only compared. */
export function resultOf(
  { label, before, operation }: PlannedWrite,
  answer: BatchResult | null,
): ApplyResult {
  const was = before === null ? null : desiredState(before);
  if (operation === null) return { label, outcome: 'unchanged', before: was, after: was ?? {} };
  const after = desiredState((answer === null ? operation.body : answer.body) as Resource);
  if (was === null) return { label, outcome: 'created', before: null, after };
  const isSame = answer !== null && sameJson(was, after);
  return { label, outcome: isSame ? 'unchanged' : 'configured', before: was, after };
}

/** Deletions of resources that this field manager applied before to the collections of the documents, and that are no longer in any document. */
export async function planPrune(
  documents: readonly ResourceDocument[],
  deps: PlanDeps,
  fieldManager: string,
): Promise<readonly PlannedWrite[]> {
  const places = new Map<string, PrunedPlace>();
  for (const document of documents) {
    const { kind, version, ancestors } = resolveDocument(document, deps.catalog, deps.within);
    const collection = deps.client.resources(pathOf(kind, version)).in(...ancestors);
    const path = collection.path();
    const place = places.get(path) ?? { collection, ancestors, kind: document.kind, names: new Set() };
    place.names.add(document.name);
    places.set(path, place);
  }
  const writes: PlannedWrite[] = [];
  for (const { collection, ancestors, kind, names } of places.values()) {
    for await (const item of itemsOf(collection.list({ signal: deps.signal }))) {
      const { name, uid, managedFields = [], deletionTimestamp } = item.metadata;
      const isOurs = managedFields.some((one) => one.manager === fieldManager && one.operation === 'Apply');
      if (!isOurs || names.has(name) || deletionTimestamp !== undefined) continue;
      writes.push({
        label: labelOf(kind, [...ancestors, name]),
        source: 'prune',
        before: item,
        operation: { method: 'DELETE', path: `${collection.path(name)}?uid=${uid}` },
      });
    }
  }
  return writes;
}

/** A collection of some documents, and their names in it. */
interface PrunedPlace {
  readonly collection: Collection;
  readonly ancestors: readonly string[];
  readonly kind: string;
  readonly names: Set<string>;
}

/** The items of a collection; none while its parent or its kind does not exist. */
async function* itemsOf(items: AsyncIterable<Resource>): AsyncGenerator<Resource> {
  try {
    yield* items;
  } catch (error) {
    if (!isPlatformError(error, 'not_found', 'unknown_collection')) throw error;
  }
}
