import { invalid } from '@platform/kernel';
import { withFaultsOf } from '../kinds/require-all.ts';
import type { Proposed } from '../kinds/strategy.ts';
import { strategyOf } from '../kinds/table.ts';
import type { Caller } from '../model/caller.ts';
import type { JsonDocument } from '../model/json-document.ts';
import { legibleBody } from '../model/legible-body.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import type { JsonText, Resource } from '../model/resource.ts';
import { addedOwners, isLiveOwner, ownerMissing } from '../rules/owner-references.ts';
import { proposedIn, type WriteTarget } from '../rules/prepare-create.ts';
import { hideInvisibleOwners } from './bound-writes.ts';
import type { ResourcePorts } from './request.ts';

/** A write before its body is known to be valid. */
export interface PreparedWrite {
  readonly caller: Caller;
  readonly verb: 'create' | 'update' | 'patch';
  readonly body: JsonDocument;
  readonly target: WriteTarget;
  /** The rules of the kind for its spec. */
  readonly validateSpec: (proposed: Proposed) => Promise<void>;
  /** The row before the write, whose references are not checked again; null for a create. */
  readonly stored: Resource | null;
}

/** The target of a write with the rules of its kind; `stored` is the spec before, null for a create. */
export function writeTargetOf(
  { collection, version }: Pick<WriteTarget, 'collection' | 'version'>,
  stored: JsonText | null,
): WriteTarget {
  const { allowsOwnerReferences, completeSpec } = strategyOf(collection);
  const target = { collection, version, allowsOwnerReferences };
  if (completeSpec === undefined) return target;
  return { ...target, completeSpec: (spec) => completeSpec(spec, stored) };
}

/** Prepares a write. When its envelope has faults, the refusal also has those of its spec: a client learns all of them at once. */
export async function withFaultsOfSpec<T>(
  { body, target, validateSpec }: PreparedWrite,
  prepare: () => T,
): Promise<T> {
  return await withFaultsOf(prepare, async () => {
    const proposed = proposedIn(body, target);
    if (proposed !== null) await validateSpec(proposed);
  });
}

type Ports = Pick<ResourcePorts, 'reader' | 'identifiers' | 'transactions'>;

/**
 * Prepares a write. When its body has faults, the refusal also has those of its new references: a client learns all of them at once.
 * The references of a body without faults are checked when it is written, under locks.
 */
export async function withFaultsOfReferences<T>(
  ports: Ports,
  write: PreparedWrite,
  prepare: () => Promise<T>,
): Promise<T> {
  return await withFaultsOf(
    prepare,
    () => requireLiveOwners(ports, write),
    () => checkReferencesOfSpec(ports, write),
  );
}

async function checkReferencesOfSpec(
  { transactions }: Ports,
  { caller, verb, target, body, stored }: PreparedWrite,
): Promise<void> {
  const { checkReferences } = strategyOf(target.collection);
  const { spec } = legibleBody(body.value);
  if (checkReferences === undefined || spec === undefined) return;
  await transactions.run((transaction) => checkReferences(transaction, spec, stored, { caller, verb }));
}

async function requireLiveOwners(ports: Ports, { caller, body, stored }: PreparedWrite): Promise<void> {
  const { ownerReferences: all = [] } = legibleBody(body.value).metadata;
  const added = addedOwners(
    stored?.ownerReferences ?? [],
    all.filter((reference) => reference !== null),
  );
  if (added.length === 0) return;
  const shown = await hideInvisibleOwners(ports, caller, added);
  const uids = [...shown.values()].map(({ uid }) => uid);
  const found = await ports.reader.resources(uids, { documents: false });
  const rows = new Map(found.map((row) => [row.uid, row]));
  const isLive = (reference: OwnerReference) =>
    isLiveOwner(rows.get((shown.get(reference.uid) ?? reference).uid) ?? null, reference);
  const missing = new Set(added.filter((reference) => !isLive(reference)));
  const faults = all.flatMap((reference, index) =>
    reference !== null && missing.has(reference) ? [ownerMissing(reference, index)] : [],
  );
  if (faults.length > 0) throw invalid(faults, 'owner_reference_invalid');
}
