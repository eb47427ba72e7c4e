import { type Fault, invalid, Problem } from '@platform/kernel';
import type { JsonDocument } from '../model/json-document.ts';
import { sameJson } from '../model/json-equality.ts';
import { legibleBody } from '../model/legible-body.ts';
import { managedFieldsOf } from '../model/managed-fields.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import { replaceBody } from '../model/request-bodies.ts';
import type { Resource } from '../model/resource.ts';
import { allOf } from './all-faults.ts';
import { distinctFinalizers, validateReservedFinalizers } from './finalizers.ts';
import { addedOwners, validateOwnerReferences } from './owner-references.ts';
import { contentOf, type ResourceContent, type WriteTarget } from './prepare-create.ts';
import { requireEnvelope, validOf } from './validate-body.ts';

/** A replacement that only the strategy of the kind and the store may still refuse. */
export interface Replacement extends ResourceContent {
  readonly specChanged: boolean;
  readonly addedOwners: readonly OwnerReference[];
}

/** Validates the body of an item PUT against the stored row. Throws every fault of its envelope, with the code of the first. */
export function prepareReplace(
  body: JsonDocument,
  stored: Resource,
  { collection, version, allowsOwnerReferences, completeSpec }: WriteTarget,
): Replacement {
  const parsed = replaceBody.safeParse(body.value);
  const sent = parsed.success ? parsed.data : legibleBody(body.value);
  const { finalizers = [], ownerReferences = [] } = sent.metadata;
  const [envelope] = allOf(
    () => validOf(parsed),
    () => requireEnvelope(sent, collection, version),
    () => requireFixed(body, sent.metadata, stored),
    () => requireRevision(sent.metadata, stored),
    () => distinctFinalizers(finalizers),
    () => validateReservedFinalizers(stored.finalizers, finalizers),
    () => validateOwnerReferences(ownerReferences, { kind: collection.kind, allowed: allowsOwnerReferences }),
  );
  const content = contentOf(envelope, body, completeSpec);
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

/** Refuses a changed name. Other writers change server-set fields too, so those of a stale copy are a conflict, not a fault. */
function requireFixed(body: JsonDocument, sent: SentMetadata, stored: Resource): void {
  const faults: Fault[] = [];
  if (sent.name !== undefined && sent.name !== stored.name)
    faults.push({ path: '/metadata/name', message: `must be ${stored.name}: names cannot change` });
  if (!isStale(sent, stored)) {
    faults.push(...changedServerFields(sent, stored));
    const managed = body.raw('/metadata/managedFields') ?? 'null';
    if (managed !== 'null' && !sameJson(managed, managedFieldsOf(stored) ?? '[]')) {
      faults.push({ path: '/metadata/managedFields', message: 'is set by the server and cannot change' });
    }
  }
  if (faults.length > 0) throw invalid(faults);
}

function requireRevision(sent: SentMetadata, stored: Resource): void {
  if (isStale(sent, stored)) throw revisionConflict(stored.revision);
  if (sent.revision != null) return;
  throw new Problem('revision_required', 'A PUT needs the metadata.revision that was read.', {
    errors: [{ path: '/metadata/revision', message: 'is required' }],
  });
}

function isStale(sent: SentMetadata, stored: Resource): boolean {
  return (
    typeof sent.revision === 'number' && (sent.revision !== stored.revision || isOfEarlier(sent, stored))
  );
}

/** Whether a copy is that of an earlier resource of this name. Both begin at revision 1, so the revision alone does not tell. */
function isOfEarlier(sent: SentMetadata, stored: Resource): boolean {
  const { uid, discriminator, creationTimestamp } = sent;
  return (
    typeof uid === 'string' &&
    uid.toLowerCase() !== stored.uid &&
    typeof discriminator === 'string' &&
    discriminator !== stored.discriminator &&
    typeof creationTimestamp === 'string' &&
    creationTimestamp !== stored.creationTimestamp
  );
}

type ServerField =
  | 'uid'
  | 'generation'
  | 'discriminator'
  | 'ancestors'
  | 'creationTimestamp'
  | 'deletionTimestamp';

/** `metadata` of a body, which may have faults. */
type SentMetadata = Readonly<Partial<Record<ServerField | 'name' | 'revision', unknown>>>;

/** Fields that the server sets may be sent back unchanged. */
function changedServerFields(sent: SentMetadata, stored: Resource): Fault[] {
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
