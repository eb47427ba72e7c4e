import {
  type Collection,
  isPlatformError,
  type NewResource,
  type PlatformClient,
  type Resource,
} from 'platform-service-client';
import { Failure } from '../failure.ts';
import { sameJson } from '../json.ts';
import type { Catalog } from '../kinds/catalog.ts';
import { pathOf } from '../kinds/kind.ts';
import { labelOf } from '../kinds/target.ts';
import { creationOf, type ResourceDocument } from './document.ts';
import { desiredState, mergeDocument, unknownMembers } from './merge-document.ts';
import { resolveDocument } from './resolve-document.ts';

/** The result of applying one document. */
export interface ApplyResult {
  readonly label: string;
  readonly outcome: 'created' | 'configured' | 'unchanged';
  /** The desired state before the change (null for a new resource) and after it. */
  readonly before: object | null;
  readonly after: object;
}

export interface ApplyDeps {
  readonly client: PlatformClient;
  readonly catalog: Catalog;
  readonly dryRun: boolean;
  /** The ancestors of documents without `in`. */
  readonly within: readonly string[];
  readonly signal: AbortSignal;
}

// Status writes also change the revision. A controller that writes often must not make `apply` fail.
const attempts = 50;

/** Creates the resource of a document, or changes the stored one to match it. */
export async function applyOne(document: ResourceDocument, deps: ApplyDeps): Promise<ApplyResult> {
  const { client, dryRun, signal } = deps;
  const { kind, version, ancestors, ancestorKinds } = resolveDocument(document, deps.catalog, deps.within);
  const collection = client.resources(pathOf(kind, version)).in(...ancestors);
  const label = labelOf(document.kind, [...ancestors, document.name]);
  const stored = await find(collection, document.name, deps);
  if (stored === null) {
    const body = creationOf(document) as unknown as NewResource;
    const parentKind = ancestorKinds.at(-1);
    const parent = parentKind === undefined ? undefined : labelOf(parentKind.kind, ancestors);
    if (!dryRun) await create(collection, body, { document, label, parent, signal });
    return { label, outcome: 'created', before: null, after: body };
  }
  const wanted = (current: Resource) => {
    requireNotDeleting(current, document, label);
    requireRevision(current, document, label);
    // The response has the version of the path, which is the version of the document.
    return { ...mergeDocument(current, document), apiVersion: document.apiVersion };
  };
  const before = desiredState(stored);
  const after = desiredState(wanted(stored));
  if (sameJson(after, before) && unknownMembers(stored, document).isEmpty)
    return { label, outcome: 'unchanged', before, after: before };
  if (!dryRun) await collection.update(document.name, wanted, { attempts, signal });
  return { label, outcome: 'configured', before, after };
}

async function find(
  collection: Collection,
  name: string,
  { dryRun, signal }: ApplyDeps,
): Promise<Resource | null> {
  try {
    return await collection.get(name, { signal });
  } catch (error) {
    if (isPlatformError(error, 'not_found')) return null;
    // In a dry run, another document may register the kind.
    if (dryRun && isPlatformError(error, 'unknown_collection')) return null;
    throw error;
  }
}

async function create(
  collection: Collection,
  body: NewResource,
  {
    document,
    label,
    parent,
    signal,
  }: { document: ResourceDocument; label: string; parent: string | undefined; signal: AbortSignal },
): Promise<void> {
  try {
    await collection.create(body, { signal });
  } catch (error) {
    if (parent === undefined || !isPlatformError(error, 'not_found')) throw error;
    const message = `${document.source}: cannot create ${label}: its parent ${parent} does not exist`;
    throw new Failure('notFound', message, 'create the parent first, or correct "in"');
  }
}

function requireNotDeleting({ metadata }: Resource, { source }: ResourceDocument, label: string): void {
  if (metadata.deletionTimestamp === undefined) return;
  throw new Failure(
    'conflict',
    `${source}: cannot apply ${label}: it is being deleted`,
    'apply it again after the deletion; platform pending shows its progress',
  );
}

// `metadata.revision` in a file is a condition: only if the resource has not changed since.
function requireRevision(stored: Resource, { metadata, source }: ResourceDocument, label: string): void {
  const { revision } = metadata;
  if (revision === undefined || revision === null || revision === stored.metadata.revision) return;
  throw new Failure(
    'conflict',
    `${source}: ${label} is at revision ${stored.metadata.revision}, but the file requires revision ${String(revision)}`,
    'read it again, or remove metadata.revision from the file',
  );
}
