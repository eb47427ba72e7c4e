/** What the bootstrap of the default Organization looks at, inside a transaction. */
export interface OrganizationFacts {
  /** Must make every other transaction that calls this wait until this one ends, so that racing replicas bootstrap one after the other. */
  lockBootstrap(): Promise<void>;

  /** Whether any row of the built-in kind Organization exists, tombstoned ones included. */
  any(): Promise<boolean>;

  /** Whether an Organization of that name exists. */
  exists(name: string): Promise<boolean>;
}
