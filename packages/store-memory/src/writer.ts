import {
  type CreateCommand,
  type CreateOutcome,
  cascadeFinalizer,
  clientMetadataOf,
  createdResource,
  type FinalizersCommand,
  maxStatusBytes,
  type ReplaceCommand,
  type ReplaceOutcome,
  type Resource,
  type StatusCommand,
  type SubresourceOutcome,
} from '@platform/resources';
import { ownerFaults, reaches } from './ownership.ts';
import { hasSlot, withSlot } from './slots.ts';
import type { Table } from './table.ts';

/** Inserts a row, or says why not; the refusals are in the order that the port gives them. */
export function create(table: Table, command: CreateCommand, now: string): CreateOutcome {
  table.requireCurrent(command.definition);
  const ancestors = table.walk(command.collection.ancestors);
  if (ancestors === null || !table.admitsCollection(command.collection, ancestors)) {
    return { outcome: 'ancestorMissing' };
  }
  const ancestorUids = ancestors.map(({ uid }) => uid);
  const parentUid = ancestorUids.at(-1) ?? null;
  const refusal =
    terminating(table, command, ancestors) ??
    ownersRefused(table, command) ??
    taken(table, command, parentUid);
  return refusal ?? { outcome: 'created', resource: table.put(createdResource(command, ancestorUids, now)) };
}

function terminating(
  table: Table,
  command: CreateCommand,
  ancestors: readonly Resource[],
): CreateOutcome | null {
  const ancestor = ancestors.find((row) => row.deletionTimestamp !== null);
  if (ancestor !== undefined) return { outcome: 'ancestorTerminating', name: ancestor.name };
  if (command.definition === null) return null;
  const definition = table.row(command.definition.uid);
  return definition?.deletionTimestamp === null ? null : { outcome: 'definitionTerminating' };
}

function ownersRefused(table: Table, command: CreateCommand): CreateOutcome | null {
  const faults = ownerFaults(table, command.ownerReferences, command.ownerReferences);
  return faults.length === 0 ? null : { outcome: 'ownersRefused', faults };
}

/** A discriminator is unique among siblings of every kind, a name among those of its own. */
function taken(table: Table, command: CreateCommand, parentUid: string | null): CreateOutcome | null {
  const { group, kind } = command.collection;
  if (table.named(parentUid, { group, kind, name: command.name }) !== null) return { outcome: 'nameTaken' };
  const sibling = table
    .rows()
    .find((row) => row.parentUid === parentUid && row.discriminator === command.discriminator);
  return sibling === undefined ? null : { outcome: 'discriminatorTaken' };
}

/** Replaces the parts of a row that a client controls, at the revision that was read. */
export function replace(table: Table, command: ReplaceCommand): ReplaceOutcome {
  table.requireCurrent(command.definition);
  const stored = table.row(command.uid);
  if (stored === null) return { outcome: 'missing' };
  if (stored.revision !== command.revision) {
    return { outcome: 'revisionMismatch', currentRevision: stored.revision };
  }
  const faults = ownerFaults(table, command.ownerReferences, command.addedOwners);
  if (faults.length > 0) return { outcome: 'ownersRefused', faults };
  if (command.addedOwners.some((owner) => reaches(table, owner.uid, stored.uid))) {
    return { outcome: 'ownerCycle' };
  }
  const resource = table.put({
    ...stored,
    apiVersion: command.apiVersion,
    ...clientMetadataOf(command),
    spec: command.spec,
    revision: stored.revision + 1,
    generation: stored.generation + (command.specChanged ? 1 : 0),
  });
  return { outcome: 'replaced', resource };
}

/** Writes or clears one status slot of the latest row. */
export function replaceStatus(table: Table, command: StatusCommand): SubresourceOutcome {
  table.requireCurrent(command.definition);
  const stored = table.find(command.ref);
  if (stored === null) return { outcome: 'missing' };
  if (command.value === null && !hasSlot(stored.status, command.slot)) return unchanged(stored);
  const status = withSlot(stored.status, command.slot, command.value);
  const isTooLarge = bytesOf(status) > Math.max(maxStatusBytes, bytesOf(stored.status) - 1);
  if (isTooLarge) return { outcome: 'statusTooLarge' };
  return written(table, { ...stored, status, metadata: command.metadata ?? stored.metadata });
}

/** Removes and adds finalizers of the latest row. A change that adds none is never too many. */
export function changeFinalizers(table: Table, command: FinalizersCommand): SubresourceOutcome {
  table.requireCurrent(command.definition);
  const stored = table.find(command.ref);
  if (stored === null) return { outcome: 'missing' };
  const kept = stored.finalizers.filter((finalizer) => !command.remove.includes(finalizer));
  const finalizers = [...new Set([...kept, ...command.add])];
  const added = finalizers.length > kept.length;
  if (!added && kept.length === stored.finalizers.length) return unchanged(stored);
  const counted = finalizers.filter((finalizer) => finalizer !== cascadeFinalizer);
  if (added && counted.length > command.limit) return { outcome: 'tooManyFinalizers' };
  return written(table, { ...stored, finalizers });
}

function bytesOf(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}

function unchanged(resource: Resource): SubresourceOutcome {
  return { outcome: 'written', resource, changed: false };
}

function written(table: Table, row: Resource): SubresourceOutcome {
  return { outcome: 'written', resource: table.put({ ...row, revision: row.revision + 1 }), changed: true };
}
