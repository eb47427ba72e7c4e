import type { JsonText, PrinterColumn } from '@platform/resources';
import type { Representation } from './representation.ts';
import { TableForm } from './table.ts';

/** The columns of Kubernetes. */
const columns: readonly PrinterColumn[] = [
  { name: 'Desired', type: 'integer', description: 'Number of desired replicas', jsonPath: '.spec.replicas' },
  {
    name: 'Available',
    type: 'integer',
    description: 'Number of actual replicas',
    jsonPath: '.status.replicas',
  },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** A Scale in one of the forms of objects, with its media type. `now` is in milliseconds since the Unix epoch. */
export function scaleInForm(
  scale: JsonText,
  form: Representation,
  now: number,
): { readonly body: JsonText; readonly contentType: string } {
  if (form.as === 'object') return { body: scale, contentType: 'application/json' };
  const { metadata } = JSON.parse(scale) as { metadata: { resourceVersion?: string } };
  const partial = JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
  const typeOf = (as: string) => `application/json;as=${as};v=v1;g=meta.k8s.io`;
  if (form.as === 'metadata') return { body: partial, contentType: typeOf('PartialObjectMetadata') };
  const table = new TableForm(columns, form.include);
  const row = table.row(scale, () => partial, now);
  const { resourceVersion } = metadata;
  return { body: table.render([row], { resourceVersion }), contentType: typeOf('Table') };
}
