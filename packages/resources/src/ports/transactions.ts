import type { Versioned } from '@platform/kernel';
import type { ChangeContext } from '../model/change-context.ts';
import type { DefinitionVersion } from '../model/definition.ts';
import type { DeletionGraph } from '../model/deletion-graph.ts';
import type { Resource, ResourceIdentity } from '../model/resource.ts';
import type { ResourceRef } from '../model/target.ts';
import type { AccessFacts } from './access-facts.ts';
import type { AnsweredRequests } from './answered-requests.ts';
import type { DefinitionFacts, DefinitionSource } from './definitions.ts';
import type { DeletionPlans } from './deletion-plans.ts';
import type { RemovedResources } from './removed-resources.ts';
import type { ResourceReader } from './resource-reader.ts';
import type { ResourceWriter } from './resource-writer.ts';

/** A dependent that the transaction has tombstoned. */
export interface Cascade {
  readonly owner: ResourceIdentity;
  readonly dependent: ResourceIdentity;
  /** Structural when the dependent is both. */
  readonly relationship: 'structuralChild' | 'ownerReference';
  /** True for structural children, and for owner-reference dependents whose reference blocks. */
  readonly blocking: boolean;
  /** The dependent's revision afterwards. */
  readonly revision: number;
}

/** A row that is locked for deletion, with the facts that decide it. */
export interface LockedResource {
  readonly outcome: 'locked';
  readonly resource: Resource;
  /**
   * Whether a structural child or an owner-reference dependent with `blockOwnerDeletion` exists, live or tombstoned. For a tombstone also
   * whether a live protected dependent exists: its cascade waits for that one.
   */
  readonly blocked: boolean;
}

/** The steps of one deletion. The cascades that the garbage collector writes later inherit the context of the tombstone. */
export interface DeletionSteps {
  /**
   * Must lock the row and its immediate dependents `FOR UPDATE`, in uid order, so that nothing can be created under it or
   * refer to it until the transaction ends, and then read them. After waiting, the transaction sees the row's current state.
   * @throws StaleDefinitions when definitions changed since the request was resolved.
   */
  lock(ref: ResourceRef, definition: DefinitionVersion): Promise<LockedResource | { outcome: 'missing' }>;

  /**
   * Must return up to `limit` protected live resources among the locked row and everything that its deletion would cascade to, at any
   * depth over parents and owners. A resource below that becomes protected at the same time waits for this transaction, or is among them.
   */
  protectedFrom(uid: string, limit: number): Promise<readonly ResourceIdentity[]>;

  /**
   * Must lock the locked row's dependents at any depth `FOR UPDATE`, and return the graph of what they are then; at most `limit` edges. When
   * the graph is complete, nothing can join it or leave it until the transaction ends.
   */
  lockGraph(uid: string, limit: number): Promise<DeletionGraph>;

  /** Must tombstone every live immediate dependent of the row, at the transaction's now, and return exactly those. */
  cascade(uid: string, change: ChangeContext): Promise<readonly Cascade[]>;

  /** Must tombstone the live row at the transaction's now, add the cascade finalizer on request, and return the new row. */
  tombstone(
    uid: string,
    options: { readonly cascadeFinalizer: boolean; readonly change: ChangeContext },
  ): Promise<Resource>;

  /** Must delete the row. Must fail when it has structural children. */
  remove(uid: string, change: ChangeContext): Promise<void>;

  /** Whether typed resources (projects, teams) belong to the Organization. None can be added while its row is locked. */
  hasTypedChildren(organizationUid: string): Promise<boolean>;
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

/** One database transaction. */
export interface Transaction {
  /**
   * Must lock the row against other writes and return its uid and revision; null when there is no such row.
   * @throws StaleDefinitions when definitions changed since the request was resolved.
   */
  lockRow(ref: ResourceRef, definition: DefinitionVersion): Promise<Versioned | null>;

  /** Reads that see the writes of the transaction. */
  readonly reader: ResourceReader;
  readonly writer: ResourceWriter;
  /** The definitions as the transaction sees them, its own writes included. */
  readonly catalog: DefinitionSource;
  readonly deletion: DeletionSteps;
  readonly definitions: DefinitionFacts;
  readonly organizations: OrganizationFacts;
  readonly access: AccessFacts;
  readonly requests: AnsweredRequests;
  readonly removed: RemovedResources;
  readonly plans: Pick<DeletionPlans, 'find'>;

  /** Must run `work` so that a rejection undoes its writes and no others; the transaction goes on. */
  nested<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

/** Runs transactions. */
export interface Transactions {
  /**
   * Must run `work` in one transaction that commits when its promise resolves and rolls back when it rejects.
   * `work` is run again, a bounded number of times, after a deadlock or serialization failure, so it must have no effect
   * outside the transaction; then Contention is thrown. When `work` rejects, so does this, with the same error.
   * `bytes` is the approximate size of the documents that `work` holds: a store limits how much may wait.
   */
  run<T>(work: (transaction: Transaction) => Promise<T>, options?: { readonly bytes?: number }): Promise<T>;
}
