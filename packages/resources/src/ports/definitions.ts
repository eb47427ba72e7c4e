import type { DefinitionVersion, GroupKind } from '../model/definition.ts';
import type { Resource } from '../model/resource.ts';

/** A definition with its ancestors' definitions, leaf first; [] and null when there is none. */
export interface LoadedDefinitions {
  readonly chain: readonly Resource[];
  readonly version: DefinitionVersion;
}

/** Reads the definitions that requests are resolved with. */
export interface DefinitionSource {
  /**
   * Must return the definition with that group and plural, its ancestors' definitions and its version, from one snapshot.
   * The chain ends before a missing definition.
   */
  load(group: string, plural: string): Promise<LoadedDefinitions>;

  /** Must return the stored version; null when no definition has that group and plural. */
  version(group: string, plural: string): Promise<DefinitionVersion>;

  /**
   * Must return a text that every committed change of the spec of a definition, and every definition that is added, tombstoned or removed,
   * replaces by one that was never returned before.
   */
  catalogVersion(): Promise<string>;

  /**
   * Must return the declared versions that rows of the kinds with these plurals are stored at, tombstoned ones included, by plural. Kinds with one
   * version and kinds without rows may be left out.
   */
  storedVersions(plurals: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

/**
 * A store throws this when the definition changed after the request was resolved, before any other refusal and before anything is
 * written. `DefinitionCatalog.resolve` catches it, resolves the request with the current definitions and runs it again.
 */
export class StaleDefinitions extends Error {
  override readonly name = 'StaleDefinitions';

  constructor() {
    super('definitions changed after the request was resolved');
  }
}

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

  /** Must return the kind of the parent of a row of the kind, tombstoned ones included: null at the root, and undefined when there are no rows. */
  parentOfInstances(identity: GroupKind): Promise<GroupKind | null | undefined>;
}
