import { noLabels } from './labels.ts';
import { groupOf } from './names.ts';
import type { JsonText, Resource } from './resource.ts';
import { readableSpec } from './sealed-spec.ts';

/** Bytes of names, identifiers, times and punctuation of an envelope, at most. */
export const envelopeBytes = 2 * 1024;

/** Which members of a resource an answer shows: all, or all but `spec` and `status`. */
export type View = 'full' | 'metadata';

/**
 * The envelope of a resource as JSON text, at `apiVersion` (default: the stored one).
 * Stored documents are copied unchanged; only names and numbers are serialized here.
 */
export function renderEnvelope(
  resource: Resource,
  apiVersion: string = resource.apiVersion,
  view: View = 'full',
): JsonText {
  const deletion =
    resource.deletionTimestamp === null ? '' : `,"deletionTimestamp":"${resource.deletionTimestamp}"`;
  // Names, kinds, versions, uids, discriminators and timestamps have no characters that need an escape.
  return (
    `{"apiVersion":"${apiVersion}","kind":"${resource.kind}",` +
    `"metadata":{"name":"${resource.name}","uid":"${resource.uid}","revision":${resource.revision},` +
    `"generation":${resource.generation},"discriminator":"${resource.discriminator}",` +
    `"creationTimestamp":"${resource.creationTimestamp}"${deletion},"ancestors":${renderArray(resource.ancestors)},` +
    `"labels":${resource.labels === noLabels ? '{}' : JSON.stringify(resource.labels)},` +
    `"finalizers":${renderArray(resource.finalizers)},"ownerReferences":${renderArray(resource.ownerReferences)},` +
    resource.metadata.slice(1) +
    (view === 'metadata' ? '}' : `,"spec":${readableSpec(resource)},"status":${resource.status}}`)
  );
}

/**
 * The list envelope of a page. `next` is the opaque token of the next page, null on the last; `cursor` is the point of the change log at
 * which it was read. The parts are joined once, because encoding a page item by item is slower.
 */
export function renderPage(
  items: readonly JsonText[],
  apiVersion: string,
  kind: string,
  { next, cursor }: { readonly next: string | null; readonly cursor?: string } = { next: null },
): JsonText {
  const metadata = JSON.stringify({
    ...(next === null ? {} : { continue: next }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const head = `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":${metadata},"items":[`;
  return [head, ...items.map((item, index) => (index === 0 ? item : `,${item}`)), ']}'].join('');
}

/** The `apiVersion` of a row in the answer to a request at `version` of its group. */
export function projectedApiVersion(resource: Resource, version: string): string {
  return `${groupOf(resource.apiVersion)}/${version}`;
}

function renderArray(list: readonly unknown[]): JsonText {
  return list.length === 0 ? '[]' : JSON.stringify(list);
}
