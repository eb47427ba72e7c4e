import type { Fault } from '@platform/kernel';

/** The faults of fields that never change: each may be left out or sent back as it is. */
export function changedFields(
  sent: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, string>>,
): Fault[] {
  return Object.entries(stored)
    .filter(([field, value]) => sent[field] !== undefined && sent[field] !== value)
    .map(([field, value]) => ({ path: `/${field}`, message: `must be ${value}: it never changes` }));
}

/** Whether a write would leave every member as it is stored: such a write keeps the revision. */
export function changesNothing<T extends object>(changes: Partial<T>, stored: T): boolean {
  return Object.entries(changes).every(
    ([member, value]) => JSON.stringify(value) === JSON.stringify(stored[member as keyof T]),
  );
}
