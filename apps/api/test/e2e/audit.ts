/** An audit record of one resource: it was deleted, or a deletion reached it. */
export interface AuditRecord {
  readonly message: string;
  readonly uid: string;
}

/** The audit records among the lines of a log that are about deletions. */
export function deletionsIn(output: string): readonly AuditRecord[] {
  return output
    .split('\n')
    .filter((line) => line.includes('"platform::audit"') && line.includes('resource.delet'))
    .map((line) => JSON.parse(line))
    .map(({ message, resource }) => ({ message, uid: resource?.uid ?? '' }));
}

/**
 * Describes the faults of the audit log: a cascade that was recorded twice, and, of the resources that are tombstoned or gone,
 * those that no record accounts for. `complete`: no process died with records that it still had to write.
 */
export function auditFaults(
  records: readonly AuditRecord[],
  deleted: readonly string[],
  complete: boolean,
): readonly string[] {
  const cascaded = records.filter(({ message }) => message === 'resource.deletion_cascaded');
  const seen = new Set<string>();
  const twice = cascaded.filter(({ uid }) => seen.has(uid) || !seen.add(uid));
  const known = new Set(records.map(({ uid }) => uid));
  const silent = complete ? deleted.filter((uid) => !known.has(uid)) : [];
  return [
    ...twice.map(({ uid }) => `two records of the cascade to ${uid}`),
    ...silent.map((uid) => `no record of the deletion of ${uid}`),
  ];
}
