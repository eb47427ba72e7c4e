/** What an operator does with the database itself. */
export interface DatabaseTools {
  /**
   * Runs every invariant over one snapshot, read-only, and tells which rows break them: as data, and as a report. At most `limit`
   * rows each; a tombstone may wait `graceSeconds` for the collector.
   */
  fsck(options: {
    readonly limit: number;
    readonly graceSeconds: number;
  }): Promise<{ readonly findings: readonly unknown[]; readonly report: string }>;
  /** Pauses or resumes the collectors of all replicas; says in one line how they stand then. */
  runPauseCommand(verb: 'pause' | 'resume' | 'state'): Promise<string>;
}
