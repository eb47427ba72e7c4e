import type { Fault } from '@platform/kernel';
import type { ChangeContext } from '../model/change-context.ts';
import type { DefinitionVersion } from '../model/definition.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import type { ClientMetadata, JsonText, Resource } from '../model/resource.ts';
import type { CollectionRef, ResourceRef } from '../model/target.ts';

/** Makes the identifiers that the service gives to rows. */
export interface Identifiers {
  /** A new UUID. Time-ordered ones (RFC 9562, version 7) keep the primary key's inserts together. */
  uid(): string;
  /** A new discriminator from a secure generator: 8 characters that match `discriminatorPattern`. */
  discriminator(): string;
}

/** Every write has a context. A row keeps the one of its last write. */
export interface Attributed {
  readonly change: ChangeContext;
}

/** A row to insert. The store sets revision and generation to 1 and the timestamps to its own now. */
export interface CreateCommand extends Attributed, ClientMetadata {
  /** It must still be live, and at this version, when the row is committed. */
  readonly definition: DefinitionVersion;
  readonly collection: CollectionRef;
  readonly uid: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly discriminator: string;
  readonly spec: JsonText;
}

/** The outcome of a create. Only `created` wrote something. */
export type CreateOutcome =
  | { readonly outcome: 'created'; readonly resource: Resource }
  | { readonly outcome: 'ancestorMissing' }
  | { readonly outcome: 'ancestorTerminating'; readonly name: string }
  | { readonly outcome: 'definitionTerminating' }
  | { readonly outcome: 'ownersRefused'; readonly faults: readonly Fault[] }
  | { readonly outcome: 'nameTaken' }
  | { readonly outcome: 'discriminatorTaken' };

/** A replacement of the parts that a client controls, under optimistic concurrency. */
export interface ReplaceCommand extends Attributed, ClientMetadata {
  /** Locked as in {@link CreateCommand}, so that the version that is written cannot be removed at the same time. */
  readonly definition: DefinitionVersion;
  readonly uid: string;
  /** The revision that was read; the write happens only when it is still the stored one. */
  readonly revision: number;
  readonly apiVersion: string;
  readonly spec: JsonText;
  /** Whether `spec` differs in value from the stored one: `generation` then grows. */
  readonly specChanged: boolean;
  /** The `ownerReferences` that were not stored before: they are checked as in a create, and for cycles. */
  readonly addedOwners: readonly OwnerReference[];
}

/** The outcome of a replacement. Only `replaced` wrote something. The index of a fault counts all `ownerReferences`. */
export type ReplaceOutcome =
  | { readonly outcome: 'replaced'; readonly resource: Resource }
  | { readonly outcome: 'revisionMismatch'; readonly currentRevision: number }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'ownersRefused'; readonly faults: readonly Fault[] }
  | { readonly outcome: 'ownerCycle' };

/** A write of one status slot. */
export interface StatusCommand extends Attributed {
  readonly definition: DefinitionVersion;
  readonly ref: ResourceRef;
  readonly slot: string;
  /** The value to store verbatim; null removes the slot. */
  readonly value: JsonText | null;
  /** Replaces the metadata, whose managed fields are others. Only in a transaction, which has locked the row. */
  readonly metadata?: JsonText;
}

/** An idempotent change of the finalizers: `remove` are removed, `add` are appended when absent. */
export interface FinalizersCommand extends Attributed {
  readonly definition: DefinitionVersion;
  readonly ref: ResourceRef;
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** The most finalizers that the row may hold afterwards, besides that of the cascade. */
  readonly limit: number;
}

/** The removal of a row by a DELETE. */
export interface LeafCommand extends Attributed {
  readonly definition: DefinitionVersion;
  readonly ref: ResourceRef;
}

/** Whether the row was removed; `kept` says nothing about why, also when there is no such row. The resource is as it was before. */
export type LeafOutcome =
  | { readonly outcome: 'removed'; readonly resource: Resource }
  | { readonly outcome: 'kept' };

/** The outcome of a write to a subresource. */
export type SubresourceOutcome =
  | { readonly outcome: 'written'; readonly resource: Resource; readonly changed: boolean }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'tooManyFinalizers' }
  | { readonly outcome: 'statusTooLarge' };

/** The most bytes of a stored status, with all its slots: reads and lists load it whole. */
export const maxStatusBytes = 1024 * 1024;

/**
 * Writes of single rows. Each is atomic, increments `revision` by one when it changes the row, and serializes with
 * deletion in the database: it locks the rows it depends on (definition, parent, owners) in uid order, `FOR KEY SHARE`, and
 * deletion takes `FOR UPDATE`. A deadlock or serialization failure is retried a bounded number of times, then
 * Contention is thrown.
 *
 * A write that protects a resource from deletion waits for running deletions of everything above it, and they for it.
 *
 * @throws StaleDefinitions before anything else, when definitions changed since the request was resolved.
 * @throws Problem `owner_graph_too_large` from a write that adds owners or protects, when too many rows are above it.
 *
 * Owner references: a reference is accepted when a live row with that uid, group, kind and name exists; the
 * faults name the rest by JSON pointer (`/metadata/ownerReferences/<index in ownerReferences>/uid`).
 */
export interface ResourceWriter {
  /**
   * Must insert the row under the resolved parent; `ancestorMissing` also when the guard of the collection does not admit it.
   * Refusals have the order of {@link CreateOutcome}. A tombstoned ancestor at any height refuses.
   * When the name and the discriminator are taken, the outcome is `nameTaken`. A refusal leaves the transaction usable.
   */
  create(command: CreateCommand): Promise<CreateOutcome>;

  /**
   * Must replace the row if its revision is still `revision`. Checking `addedOwners` takes the graph lock, which only such
   * writes wait for, and refuses with `ownerCycle` when an owner reaches the row
   * over parents and owners (a row reaches itself). The search ends after `maxRowsAbove` rows. Refusals have the order of {@link ReplaceOutcome}.
   * Tombstoned definitions and tombstoned rows allow replacements; the row stays tombstoned.
   */
  replace(command: ReplaceCommand): Promise<ReplaceOutcome>;

  /**
   * Must write or clear one slot of the latest row and keep every byte of the others. Only clearing an absent slot is no change.
   * Must store `metadata` with it, if there is any.
   * Must write nothing when the stored status would have more than {@link maxStatusBytes}, unless the write makes it smaller.
   */
  replaceStatus(command: StatusCommand): Promise<SubresourceOutcome>;

  /**
   * Must change the finalizers of the latest row. When they would stay the same, `changed` is false and nothing is written.
   * A change that adds none is never `tooManyFinalizers`.
   */
  changeFinalizers(command: FinalizersCommand): Promise<SubresourceOutcome>;

  /**
   * Must remove the row if it is live and has no finalizers, no dependents and no protection; most rows that are deleted are like that. May
   * keep it for any other reason, e.g. a lock that it would have to wait for or a definition that changed: the deletion then goes on in a
   * transaction, with `DeletionSteps`, and finds the reason.
   */
  removeLeaf(command: LeafCommand): Promise<LeafOutcome>;
}
