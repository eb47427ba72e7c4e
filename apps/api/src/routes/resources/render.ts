import { etagOf } from '@platform/kernel';
import { type Located, projectedApiVersion, type Resource, renderEnvelope } from '@platform/resources';
import type { Answer } from './call.ts';

/** The envelope of a row as the URL's version shows it (specification, path rule 6). */
export function envelopeAt(resource: Resource, { version }: Located): string {
  return renderEnvelope(resource, projectedApiVersion(resource, version));
}

/** The answer with one item and its `ETag`. */
export function itemAnswer(resource: Resource, located: Located, status = 200): Answer {
  return { status, text: envelopeAt(resource, located), headers: { ETag: etagOf(resource) } };
}
