import { type CreateCommand, type CreateOutcome, createdResource, type Resource } from '@platform/resources';
import { ownerFaults } from './owners.ts';
import type { Table } from './table.ts';

/** Inserts a row, or says why not; the refusals are in the order that the port gives them. */
export function create(table: Table, command: CreateCommand, now: string): CreateOutcome {
  table.requireCurrent(command.definition);
  const ancestors = table.walk(command.collection.ancestors);
  if (ancestors === null) return { outcome: 'ancestorMissing' };
  const parentUid = ancestors.at(-1)?.uid ?? null;
  const refusal =
    terminating(table, command, ancestors) ??
    ownersRefused(table, command) ??
    taken(table, command, parentUid);
  return refusal ?? { outcome: 'created', resource: table.put(createdResource(command, parentUid, now)) };
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
