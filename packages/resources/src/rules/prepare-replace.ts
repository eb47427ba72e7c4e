import { type Fault, invalid, Problem } from '@platform/kernel';
import type { JsonDocument } from '../model/json-document.ts';
import { sameJson } from '../model/json-equality.ts';
import { managedFieldsOf } from '../model/managed-fields.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import { replaceBody } from '../model/request-bodies.ts';
import type { Resource } from '../model/resource.ts';
import { validateReservedFinalizers } from './finalizers.ts';
import { addedOwners, validateOwnerReferences } from './owner-references.ts';
import { contentOf, type ResourceContent, type WriteTarget } from './prepare-create.ts';
import { envelopeFaults, requireValid } from './validate-body.ts';

/** A replacement that only the strategy of the kind and the store may still refuse. */
export interface Replacement extends ResourceContent {
  readonly specChanged: boolean;
  readonly addedOwners: readonly OwnerReference[];
}

/** Validates the body of an item PUT against the stored row. */
export function prepareReplace(
  body: JsonDocument,
  stored: Resource,
  { collection, version, allowsOwnerReferences, completeSpec }: WriteTarget,
): Replacement {
  const envelope = requireValid(replaceBody, body.value);
  const { metadata } = envelope;
  const faults = envelopeFaults(envelope, collection, version);
  if (metadata.name !== stored.name)
    faults.push({ path: '/metadata/name', message: `must be ${stored.name}: names cannot change` });
  // Other writers change server-set fields too, so a stale copy is a conflict, not a fault.
  const stale = metadata.revision != null && metadata.revision !== stored.revision;
  if (!stale) {
    faults.push(...changedServerFields(metadata, stored));
    const managed = body.raw('/metadata/managedFields') ?? 'null';
    if (managed !== 'null' && !sameJson(managed, managedFieldsOf(stored) ?? '[]')) {
      faults.push({ path: '/metadata/managedFields', message: 'is set by the server and cannot change' });
    }
  }
  if (faults.length > 0) throw invalid(faults);
  if (stale) throw revisionConflict(stored.revision);
  requireRevision(metadata.revision);
  const content = contentOf(envelope, body, completeSpec);
  validateReservedFinalizers(stored.finalizers, content.finalizers);
  validateOwnerReferences(content.ownerReferences, {
    kind: collection.kind,
    allowed: allowsOwnerReferences,
  });
  return {
    ...content,
    specChanged: !sameJson(stored.spec, content.spec.text),
    addedOwners: addedOwners(stored.ownerReferences, content.ownerReferences),
  };
}

/** The refusal of a PUT that is based on an older revision. */
export function revisionConflict(currentRevision: number): Problem {
  return new Problem(
    'revision_conflict',
    `The stored revision is ${currentRevision}; read the resource again and retry.`,
    {
      members: { currentRevision },
    },
  );
}

function requireRevision(revision: number | null | undefined): void {
  if (revision != null) return;
  throw new Problem('revision_required', 'A PUT needs the metadata.revision that was read.', {
    errors: [{ path: '/metadata/revision', message: 'is required' }],
  });
}

type ServerField =
  | 'uid'
  | 'generation'
  | 'discriminator'
  | 'ancestors'
  | 'creationTimestamp'
  | 'deletionTimestamp';

/** Fields that the server sets may be sent back unchanged. */
function changedServerFields(
  sent: Readonly<Partial<Record<ServerField, string | number | readonly string[] | null | undefined>>>,
  stored: Resource,
): Fault[] {
  const kept: readonly ServerField[] = [
    'uid',
    'generation',
    'discriminator',
    'ancestors',
    'creationTimestamp',
    'deletionTimestamp',
  ];
  return kept
    .filter((field) => {
      const value = field === 'uid' && typeof sent.uid === 'string' ? sent.uid.toLowerCase() : sent[field];
      return value !== undefined && value !== null && JSON.stringify(value) !== JSON.stringify(stored[field]);
    })
    .map((field) => ({ path: `/metadata/${field}`, message: 'is set by the server and cannot change' }));
}
