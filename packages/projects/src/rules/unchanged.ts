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
