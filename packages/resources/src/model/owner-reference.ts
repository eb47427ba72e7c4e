import { Problem } from '@platform/kernel';
import { z } from 'zod';
import { apiVersionPattern, dnsSubdomainPattern, kindPattern, maxNameLength, parseUid } from './names.ts';

/** Names an owner: its deletion starts the deletion of the resource that has this entry. */
export const ownerReference = z.strictObject({
  apiVersion: z.string().regex(apiVersionPattern, 'must be <group>/<version>'),
  kind: z.string().regex(kindPattern, 'must be UpperCamelCase ASCII'),
  name: z.string().max(maxNameLength).regex(dnsSubdomainPattern, 'must be a DNS subdomain'),
  uid: z
    .string()
    .refine((uid) => parseUid(uid) !== null, 'must be a UUID other than the all-zero one')
    .transform((uid) => uid.toLowerCase()),
  blockOwnerDeletion: z.boolean().default(false),
});

/** An owner reference with its UID in canonical (lower) case. */
export type OwnerReference = z.output<typeof ownerReference>;

/** The annotation with the uid of the owner that has `controller: true` in the Kubernetes API: references here have no member for it. */
export const controllerAnnotation = 'kubernetes.platform.dev/controller';

/** Whether two references are equal. Unchanged references are not checked again. */
export function sameOwnerReference(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.uid === b.uid &&
    a.apiVersion === b.apiVersion &&
    a.kind === b.kind &&
    a.name === b.name &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}

/** The most rows above one row that a write searches, over parents and owners: others wait for its lock meanwhile. */
export const maxRowsAbove = 10_000;

/** The most owner references of one resource: a longer list has more than {@link maxRowsAbove} rows above it. */
export const maxOwnerReferences = maxRowsAbove;

/** The refusal of a write that would have to search more than {@link maxRowsAbove} rows. */
export function ownerGraphTooLarge(): Problem {
  return new Problem(
    'owner_graph_too_large',
    `More than ${maxRowsAbove} resources are above this one, over parents and owners.`,
    {
      errors: [
        { path: '/metadata/ownerReferences', message: `would have more than ${maxRowsAbove} above it` },
      ],
    },
  );
}
