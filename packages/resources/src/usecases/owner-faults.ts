import { invalid } from '@platform/kernel';
import { withFaultsOf } from '../kinds/require-all.ts';
import type { Caller } from '../model/caller.ts';
import type { JsonDocument } from '../model/json-document.ts';
import { legibleBody } from '../model/legible-body.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import { addedOwners, isLiveOwner, ownerMissing } from '../rules/owner-references.ts';
import { hideInvisibleOwners } from './bound-writes.ts';
import type { ResourcePorts } from './request.ts';

/** A body whose owners are looked up when it is refused. */
interface OwnedWrite {
  readonly caller: Caller;
  readonly body: JsonDocument;
  /** The references of the stored row, which are not checked again. */
  readonly stored: readonly OwnerReference[];
}

/**
 * Prepares a write. When its body has faults, the refusal also has those of its new owner references: a client learns all of them at once.
 * The owners of a body without faults are checked by the store, under locks.
 */
export async function withFaultsOfOwners<T>(
  ports: Pick<ResourcePorts, 'reader' | 'identifiers'>,
  write: OwnedWrite,
  prepare: () => Promise<T>,
): Promise<T> {
  return await withFaultsOf(prepare, () => requireLiveOwners(ports, write));
}

async function requireLiveOwners(
  ports: Pick<ResourcePorts, 'reader' | 'identifiers'>,
  { caller, body, stored }: OwnedWrite,
): Promise<void> {
  const { ownerReferences: all = [] } = legibleBody(body.value).metadata;
  const added = addedOwners(
    stored,
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
