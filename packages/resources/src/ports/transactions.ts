import type { Versioned } from '@platform/kernel';
import type { DefinitionVersion } from '../model/definition.ts';
import type { Resource, ResourceIdentity } from '../model/resource.ts';
import type { ResourceRef } from '../model/target.ts';
import type { DefinitionFacts } from './definition-facts.ts';
import type { OrganizationFacts } from './organization-facts.ts';
import type { ResourceWriter } from './resource-writer.ts';

/** A dependent that has just been tombstoned, and why. */
export interface Cascade {
  readonly owner: ResourceIdentity;
  readonly dependent: ResourceIdentity;
  /** Structural wins when the dependent is both. */
  readonly relationship: 'structuralChild' | 'ownerReference';
  /** Structural children always block; an owner-reference dependent when its reference says so. */
  readonly blocking: boolean;
  /** The dependent's revision after the stamp. */
  readonly revision: number;
}

/** A row that is locked for a deletion decision, with what the decision needs. */
export interface LockedResource {
  readonly outcome: 'locked';
  readonly resource: Resource;
  /** Whether a structural child or an owner-reference dependent with `blockOwnerDeletion` exists, live or tombstoned. */
  readonly blocked: boolean;
}

/** The steps of one deletion. */
export interface DeletionSteps {
  /**
   * Must lock the row and its immediate dependents `FOR UPDATE`, in uid order, so that nothing can be created under it or
   * refer to it until the transaction ends, and then look. After waiting, the transaction sees the row's current state.
   * @throws StaleDefinitions when definitions changed since the request was resolved.
   */
  lock(ref: ResourceRef, definition: DefinitionVersion): Promise<LockedResource | { outcome: 'missing' }>;

  /** Must tombstone every immediate dependent of the row that is still live, at the transaction's now, and return exactly those. */
  cascade(uid: string): Promise<readonly Cascade[]>;

  /** Must tombstone the live row at the transaction's now, put the cascade finalizer on it if asked to, and return it as it is then. */
  tombstone(uid: string, options: { readonly cascadeFinalizer: boolean }): Promise<Resource>;

  /** Must delete the row. It has no structural children then; the foreign key of `parent_uid` stands behind that. */
  remove(uid: string): Promise<void>;

  /** Whether typed resources (projects, teams) are linked to the Organization. No new one can be linked while its row is locked. */
  hasTypedChildren(organizationUid: string): Promise<boolean>;
}

/** One database transaction. */
export interface Transaction {
  /**
   * Must lock the row against other writes and return what tells its versions apart, as it is then; null when there is none.
   * @throws StaleDefinitions when definitions changed since the request was resolved.
   */
  lockRow(ref: ResourceRef, definition: DefinitionVersion): Promise<Versioned | null>;

  readonly writer: ResourceWriter;
  readonly deletion: DeletionSteps;
  readonly definitions: DefinitionFacts;
  readonly organizations: OrganizationFacts;
}

/** Runs units of work. */
export interface Transactions {
  /**
   * Must run `work` in one transaction that commits when its promise resolves and rolls back when it rejects.
   * `work` is run again, a bounded number of times, after a deadlock or serialization failure, so it must have no effect
   * outside the transaction; then `contention` is thrown. When `work` rejects, so does this, with the same error.
   */
  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}
