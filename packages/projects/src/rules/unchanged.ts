import { type Fault, invalid } from '@platform/kernel';
import { revisionConflict } from '@platform/resources';

/** Members of the answers of every kind below projects that a PUT may send back as they were read. */
export const childReadBack = ['uid', 'name', 'project', 'revision', 'created_at'] as const;

/**
 * Compares the members that a client read and sends back with the answer that it would get now: none of them can be changed. Throws
 * `revision_conflict` first, since a stale read explains every other difference, then `validation_failed` with all of them. `last_used_at`
 * changes without a write, so it is not compared.
 */
export function requireUnchanged(
  sent: Readonly<Record<string, unknown>>,
  shown: Readonly<Record<string, unknown>> & { readonly revision: number },
  members: readonly string[],
): void {
  const differing = members.filter(
    (member) =>
      sent[member] !== undefined &&
      member !== 'last_used_at' &&
      JSON.stringify(sent[member]) !== JSON.stringify(shown[member]),
  );
  if (isStale(sent, differing)) throw revisionConflict(shown.revision);
  const faults = differing.map((member): Fault => {
    if (member === 'revision') return { path: '/revision', message: 'must be a number' };
    const value = shown[member];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { path: `/${member}`, message: `must be ${text}: it never changes` };
  });
  if (faults.length > 0) throw invalid(faults);
}

/** Whether the members are those of another revision, or of an earlier resource of this name, which began at the same revision. */
function isStale(sent: Readonly<Record<string, unknown>>, differing: readonly string[]): boolean {
  const { revision, uid, created_at: createdAt } = sent;
  if (typeof revision !== 'number') return false;
  const isOfEarlier =
    !differing.includes('name') && ['uid', 'created_at'].every((member) => differing.includes(member));
  return (
    differing.includes('revision') ||
    (isOfEarlier && typeof uid === 'string' && typeof createdAt === 'string')
  );
}

/** Whether a write would leave every member as it is stored: such a write keeps the revision. */
export function changesNothing<T extends object>(changes: Partial<T>, stored: T): boolean {
  return Object.entries(changes).every(
    ([member, value]) => JSON.stringify(value) === JSON.stringify(stored[member as keyof T]),
  );
}
