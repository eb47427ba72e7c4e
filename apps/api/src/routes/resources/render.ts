import {
  type CatalogMoved,
  type Located,
  projectedApiVersion,
  type Resource,
  renderEnvelope,
} from '@platform/resources';
import type { Answer } from './call.ts';

/** The envelope of a row as the URL's version shows it (specification, path rule 6). */
export function envelopeAt(resource: Resource, { version }: Located): string {
  return renderEnvelope(resource, projectedApiVersion(resource, version));
}

/** The answer with one item and its `ETag`; passes on that the catalog moved. */
export function itemAnswer(
  result: Resource | CatalogMoved,
  located: Located,
  status = 200,
): Answer | CatalogMoved {
  if ('outcome' in result) return result;
  return { status, text: envelopeAt(result, located), headers: { ETag: `"${result.revision}"` } };
}
