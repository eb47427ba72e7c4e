import type { GroupKind } from '../model/definition.ts';
import type { Resource } from '../model/resource.ts';

/** The facts that the rules for definitions need, inside a transaction. */
export interface DefinitionFacts {
  /**
   * Must make every other transaction that calls this wait until this one ends. Definitions are written one at a time:
   * uniqueness and the parent chain are then checked against a stable set. Requests for instances do not wait for it.
   */
  lockCatalog(): Promise<void>;

  /**
   * Must lock the definition row `FOR UPDATE` and return its revision, or null when it was removed. An edit compares it
   * first, because the other checks would use an outdated row.
   */
  lockDefinition(uid: string): Promise<number | null>;

  /** Must return the definition rows whose spec claims the plural, or the group and kind; without the row `exceptUid`. */
  claiming(plural: string, identity: GroupKind, exceptUid: string | null): Promise<readonly Resource[]>;

  /** Must return the definition rows from the given kind up to its root or a missing one: itself first, at most `limit`. */
  chain(identity: GroupKind, limit: number): Promise<readonly Resource[]>;

  /** Must return the length of the longest chain of definitions below the kind: 0 when no definition names it as parent; at most `limit`. */
  heightBelow(identity: GroupKind, limit: number): Promise<number>;

  /**
   * Must lock the definition row `FOR UPDATE`, wait for the writes of instances that hold it, and then count the rows of its group
   * and kind by stored `apiVersion`, tombstoned ones included, up to `limit` of each version. Only versions with rows are in the map. A write of an instance
   * that starts later waits, and then sees the result (`StaleDefinitions` or `definitionTerminating`).
   */
  countInstances(
    definitionUid: string,
    identity: GroupKind,
    limit: number,
  ): Promise<ReadonlyMap<string, number>>;
}

/** The facts that the bootstrap of the default Organization needs, inside a transaction. */
export interface OrganizationFacts {
  /** Must make every other transaction that calls this wait until this one ends, so that racing replicas bootstrap one after the other. */
  lockBootstrap(): Promise<void>;

  /** Whether any row of the built-in kind Organization exists, tombstoned ones included. */
  any(): Promise<boolean>;

  /** Whether an Organization of that name exists. */
  exists(name: string): Promise<boolean>;
}
