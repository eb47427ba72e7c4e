import {
  type Collection,
  isPlatformError,
  type NewResource,
  type PlatformClient,
  type Resource,
} from '@platform/client';
import { Failure } from '../failure.ts';
import { sameJson } from '../json.ts';
import type { Catalog } from '../kinds/catalog.ts';
import { pathOf } from '../kinds/kind.ts';
import { labelOf, shapeOf } from '../kinds/target.ts';
import { creationOf, type ResourceDocument } from './document.ts';
import { decided, merge } from './merge.ts';

/** What came of one document. */
export interface Applied {
  readonly label: string;
  readonly outcome: 'created' | 'configured' | 'unchanged';
  /** What a person decides about, before (null: there was nothing) and after. */
  readonly before: object | null;
  readonly after: object;
}

/** What applying takes. */
export interface ApplyParts {
  readonly client: PlatformClient;
  readonly catalog: Catalog;
  readonly dryRun: boolean;
  /** The names above documents that do not say where they belong. */
  readonly within: readonly string[];
  readonly signal: AbortSignal;
}

/** Makes the platform hold what the document says: creates it, or changes what is there. */
export async function applyOne(document: ResourceDocument, parts: ApplyParts): Promise<Applied> {
  const { dryRun, signal } = parts;
  const { collection, label } = locate(document, parts);
  const stored = await find(collection, document.name, { dryRun, signal });
  if (stored === null) {
    const body = creationOf(document) as unknown as NewResource;
    if (!dryRun) await collection.create(body, { signal });
    return { label, outcome: 'created', before: null, after: body };
  }
  requireLive(stored, document, label);
  requireRevision(document, stored, label);
  const before = decided(stored);
  const wanted = (now: Resource) => atVersion(merge(now, document), document);
  if (sameJson(decided(wanted(stored)), before)) {
    return { label, outcome: 'unchanged', before, after: before };
  }
  const change = (now: Resource) => {
    requireLive(now, document, label);
    requireRevision(document, now, label);
    return wanted(now);
  };
  if (!dryRun) await collection.update(document.name, change, { signal });
  return { label, outcome: 'configured', before, after: decided(wanted(stored)) };
}

function locate(
  document: ResourceDocument,
  { client, catalog, within }: ApplyParts,
): { collection: Collection; label: string } {
  const { apiVersion, kind: kindName, name, source, ancestors = within } = document;
  const kind = catalog.find(apiVersion, kindName);
  if (kind === undefined) {
    throw new Failure(
      'notFound',
      `${source}: there is no kind ${kindName} of ${apiVersion}`,
      'platform kinds',
    );
  }
  const above = catalog.ancestorsOf(kind);
  if (ancestors.length !== above.length) {
    const example = above.map((one) => `<${one.kind.toLowerCase()}>`).join('/');
    throw new Failure(
      'invalid',
      above.length === 0
        ? `${source}: nothing is above a ${kind.kind}`
        : `${source}: ${shapeOf(kind, above)} needs what is above it`,
      above.length === 0 ? 'leave "in" and --in out' : `"in: ${example}" in the document, or --in`,
    );
  }
  const version = apiVersion.split('/')[1];
  return {
    collection: client.resources(pathOf(kind, version)).in(...ancestors),
    label: labelOf(kindName, [...ancestors, name]),
  };
}

async function find(
  collection: Collection,
  name: string,
  { dryRun, signal }: { dryRun: boolean; signal: AbortSignal },
): Promise<Resource | null> {
  try {
    return await collection.get(name, { signal });
  } catch (error) {
    if (isPlatformError(error, 'not_found')) return null;
    // The kind would have been registered by another document.
    if (dryRun && isPlatformError(error, 'unknown_collection')) return null;
    throw error;
  }
}

// What a file says of it is not to be any more; without a word it would look as if it were.
function requireLive({ metadata }: Resource, { source }: ResourceDocument, label: string): void {
  if (metadata.deletionTimestamp === undefined) return;
  throw new Failure(
    'conflict',
    `${source}: ${label} is being deleted`,
    'apply it again when it is gone: platform pending',
  );
}

// A revision in the file means: only if nobody has changed it since.
function requireRevision({ metadata, source }: ResourceDocument, stored: Resource, label: string): void {
  const { revision } = metadata;
  if (revision === undefined || revision === null || revision === stored.metadata.revision) return;
  throw new Failure(
    'conflict',
    `${source}: ${label} has the revision ${stored.metadata.revision}, the file ${String(revision)}`,
    'read it again, or leave metadata.revision out',
  );
}

// A resource that is read shows the version of the path, which is the one of the document.
function atVersion<T extends { apiVersion: string }>(resource: T, { apiVersion }: ResourceDocument): T {
  return { ...resource, apiVersion };
}
