import { isPlainObject } from '@platform/kernel';
import { z } from 'zod';
import { maxOwnerReferences, type OwnerReference, ownerReference } from './owner-reference.ts';

/** The well-formed parts of a body that rules look at; absent where they are not. */
export interface LegibleBody {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly name?: string | undefined;
    readonly finalizers?: readonly string[] | undefined;
    /** Null in the place of a malformed one. */
    readonly ownerReferences?: readonly (OwnerReference | null)[] | undefined;
  };
  readonly spec?: Readonly<Record<string, unknown>> | undefined;
}

/** A reference whose owner is known, whatever else it has. */
const legibleReference = z.object({
  ...ownerReference.shape,
  blockOwnerDeletion: z.boolean().catch(false),
});
const references = z.array(legibleReference.nullable().catch(null)).max(maxOwnerReferences);

/** The well-formed parts of a body that has faults. Rules are checked on them, so that a client learns all faults at once. */
export function legibleBody(body: unknown): LegibleBody {
  const { apiVersion, kind, metadata, spec } = membersOf(body);
  const sent = membersOf(metadata);
  const { name, finalizers, ownerReferences } = sent;
  return {
    apiVersion: textOf(apiVersion),
    kind: textOf(kind),
    metadata: {
      ...sent,
      name: textOf(name),
      finalizers: Array.isArray(finalizers) ? finalizers.filter((one) => typeof one === 'string') : [],
      ownerReferences: references.safeParse(ownerReferences).data,
    },
    ...(spec === undefined || isPlainObject(spec) ? { spec: spec ?? {} } : {}),
  };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
