import { groupOf } from './names.ts';
import type { JsonText, Resource } from './resource.ts';

/**
 * The envelope of a resource as JSON text, at `apiVersion` (default: as stored; contract 2, "Bodies").
 * Stored documents are spliced in as they are; only names and numbers are serialized here.
 */
export function renderEnvelope(resource: Resource, apiVersion: string = resource.apiVersion): JsonText {
  const deletion =
    resource.deletionTimestamp === null ? '' : `,"deletionTimestamp":"${resource.deletionTimestamp}"`;
  // Names, kinds, versions, uids, discriminators and timestamps are constrained to characters that need no escape.
  return (
    `{"apiVersion":"${apiVersion}","kind":"${resource.kind}",` +
    `"metadata":{"name":"${resource.name}","uid":"${resource.uid}","revision":${resource.revision},` +
    `"generation":${resource.generation},"discriminator":"${resource.discriminator}",` +
    `"creationTimestamp":"${resource.creationTimestamp}"${deletion},` +
    `"finalizers":${renderArray(resource.finalizers)},"ownerReferences":${renderArray(resource.ownerReferences)},` +
    `${resource.metadata.slice(1)},"spec":${resource.spec},"status":${resource.status}}`
  );
}

/**
 * The list envelope of a collection page. `next` is the opaque token of the page after it, if there is one. Joined at once: a page that was made
 * into bytes item by item took 156 µs from the database's texts to the bytes, and 116 so.
 */
export function renderPage(
  items: readonly JsonText[],
  apiVersion: string,
  kind: string,
  next: string | null,
): JsonText {
  const metadata = next === null ? '{}' : `{"continue":${JSON.stringify(next)}}`;
  const head = `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":${metadata},"items":[`;
  return [head, ...items.map((item, index) => (index === 0 ? item : `,${item}`)), ']}'].join('');
}

/** The `apiVersion` under which a row is shown to a request at `version` of its group. */
export function projectedApiVersion(resource: Resource, version: string): string {
  return `${groupOf(resource.apiVersion)}/${version}`;
}

function renderArray(list: readonly unknown[]): JsonText {
  return list.length === 0 ? '[]' : JSON.stringify(list);
}
