import type { ReplaceCommand, ReplaceOutcome } from '@platform/resources';
import { reaches } from './dependents.ts';
import { ownerFaults } from './owners.ts';
import type { Table } from './table.ts';

/** Replaces what the client controls of a row that has not changed since it was read. */
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
    metadata: command.metadata,
    spec: command.spec,
    revision: stored.revision + 1,
    generation: stored.generation + (command.specChanged ? 1 : 0),
    finalizers: [...command.finalizers],
    ownerReferences: [...command.ownerReferences],
  });
  return { outcome: 'replaced', resource };
}
