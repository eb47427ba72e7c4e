import type { FinalizersCommand, Resource, StatusCommand, SubresourceOutcome } from '@platform/resources';
import { hasSlot, withSlot } from './slots.ts';
import type { Table } from './table.ts';

/** Writes or clears one status slot of the latest row. */
export function replaceStatus(table: Table, command: StatusCommand): SubresourceOutcome {
  table.requireCurrent(command.definition);
  const stored = table.find(command.ref);
  if (stored === null) return { outcome: 'missing' };
  if (command.value === null && !hasSlot(stored.status, command.slot)) return unchanged(stored);
  return written(table, { ...stored, status: withSlot(stored.status, command.slot, command.value) });
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
  if (added && finalizers.length > command.limit) return { outcome: 'tooManyFinalizers' };
  return written(table, { ...stored, finalizers });
}

function unchanged(resource: Resource): SubresourceOutcome {
  return { outcome: 'written', resource, changed: false };
}

function written(table: Table, row: Resource): SubresourceOutcome {
  return { outcome: 'written', resource: table.put({ ...row, revision: row.revision + 1 }), changed: true };
}
