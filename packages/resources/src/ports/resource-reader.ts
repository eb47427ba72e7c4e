import type { DefinitionVersion, GroupKind } from '../model/definition.ts';
import type { Resource } from '../model/resource.ts';
import type { SearchedNames, SearchPosition, SearchScope } from '../model/search.ts';
import type { DeletionPosition, PagePosition, Selection } from '../model/selection.ts';
import type { CollectionRef, ResourceRef } from '../model/target.ts';
import type { DeletionReader } from './deletion-reader.ts';

/** One page of a collection. */
export interface Page {
  readonly outcome: 'page';
  readonly items: readonly Resource[];
  /** Whether items follow after the last one. */
  readonly more: boolean;
  /** The point of the change log at which the page was read. */
  readonly cursor: string;
}

/** One page of a selection. */
export interface SelectedPage {
  readonly outcome: 'page';
  readonly items: readonly Resource[];
  /** Where the next page begins; null on the last one. A page may have few items, or none, and another one after it. */
  readonly next: PagePosition | null;
  /** The point of the change log at which the page was read. */
  readonly cursor: string;
}

/** One page of a search. */
export interface SearchPage {
  readonly items: readonly Resource[];
  /** Where the next page begins; null on the last one. A page may have few items, or none, and another one after it. */
  readonly next: SearchPosition | null;
}

/** A dependent that keeps a tombstone from being removed. */
export interface Blocker {
  readonly relationship: 'structuralChild' | 'ownerReference';
  readonly resource: Resource;
}

/** The dependents that block one resource, from a single snapshot. */
export interface BlockerReport {
  readonly outcome: 'report';
  readonly resource: Resource;
  /** Structural children first, then by apiVersion, kind, name, uid (byte order). A resource that is both is listed once, as structural. */
  readonly blockers: readonly Blocker[];
  readonly truncated: boolean;
}

/** A row as rules are compared with it. */
export interface PlacedRow extends GroupKind {
  readonly uid: string;
  readonly name: string;
  /** The plural of its kind; null when no definition claims the kind. */
  readonly plural: string | null;
  /** The uids of its ancestors; for a RoleBinding also that of its scope and those above the scope. */
  readonly within: readonly string[];
}

/** The rows on the way to a target that exist, root first, from one snapshot with the version of roles and bindings. */
export interface Reach {
  readonly version: string;
  readonly uids: readonly string[];
  /** The item that the reference names, whatever its guard; null when it does not exist, and for a collection. */
  readonly item: PlacedRow | null;
}

/**
 * Point and page reads. Tombstoned rows are visible. Each method is one round trip at any depth.
 * @throws StaleDefinitions before anything else, when definitions changed since the request was resolved.
 */
export interface ResourceReader extends DeletionReader {
  /**
   * Must return the row that `ref` names, or null when a step of its path or the row itself is missing; and the point of the change log
   * at which it was read.
   */
  get(
    ref: ResourceRef,
    definition: DefinitionVersion,
  ): Promise<{ outcome: 'read'; resource: Resource | null; cursor: string }>;

  /**
   * Must return up to `limit` rows of the collection with names greater than `after` (byte order), by name;
   * `ancestorMissing` when a named ancestor does not exist, or the guard of the collection does not admit it. Of a root collection it
   * must return the rows that the guard admits, and `ancestorMissing` when the guard has another version than the stored one.
   */
  list(
    collection: CollectionRef,
    page: { readonly limit: number; readonly after: string | null },
    definition: DefinitionVersion,
  ): Promise<Page | { outcome: 'ancestorMissing' }>;

  /** Must return up to `limit` rows of every kind with uids greater than `after`, by uid. */
  all(after: string | null, limit: number): Promise<Page>;

  /**
   * Must return up to `limit` rows of a selection after a position, ordered by the names of their ancestors, then by name (byte order), then by
   * uid; `ancestorMissing` when an ancestor before the first one of any name does not exist, or the guard of the selection has another version
   * than the stored one or lets no part of the collection through. It may look at a bounded number of rows
   * and then end the page early.
   */
  select(
    selection: Selection,
    page: { readonly limit: number; readonly after: PagePosition | null },
    definition: DefinitionVersion,
  ): Promise<SelectedPage | { outcome: 'ancestorMissing' }>;

  /**
   * Must return up to `limit` rows in the scope whose names match, after a position, by name (byte order), then by uid. It may look at a
   * bounded number of names and then end the page early. @throws StaleAccess when roles or bindings have another version.
   */
  search(
    scope: SearchScope,
    names: SearchedNames,
    page: { readonly limit: number; readonly after: SearchPosition | null },
  ): Promise<SearchPage>;

  /** Must return the row with the uid, if it is in the scope. @throws StaleAccess when roles or bindings have another version. */
  searchByUid(scope: SearchScope, uid: string): Promise<readonly Resource[]>;

  /**
   * Must return up to `limit` tombstoned rows of every kind after a position, by `deletionTimestamp` in milliseconds, then by uid. A page
   * of large documents may end early.
   */
  pendingDeletion(page: {
    readonly limit: number;
    readonly after: DeletionPosition | null;
  }): Promise<{ readonly items: readonly Resource[]; readonly more: boolean }>;

  /**
   * Must return the dependents that block the removal of the row: every structural child, and every owner-reference dependent
   * whose matching reference has `blockOwnerDeletion: true`; at most `limit`.
   */
  blockers(
    ref: ResourceRef,
    limit: number,
    definition: DefinitionVersion,
  ): Promise<BlockerReport | { outcome: 'missing' }>;

  /** Must return what exists on the way to a target, without regard to its guard and to definitions. Only {@link PlacedRow.plural} is not read. */
  reach(ref: ResourceRef | CollectionRef): Promise<Reach>;

  /** Must return the rows with these uids that exist, in no particular order. */
  places(uids: readonly string[]): Promise<readonly PlacedRow[]>;
}
