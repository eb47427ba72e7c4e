import type { Caller } from '../model/caller.ts';
import type { Collection } from '../model/definition.ts';
import type { Labels } from '../model/labels.ts';
import type { TargetForm } from '../model/path.ts';
import type { JsonText, Resource } from '../model/resource.ts';
import type { SchemaValidator } from '../ports/schema-validator.ts';
import type { Transaction } from '../ports/transactions.ts';
import type { ScopePath } from './scope-of-spec.ts';

/** `GET` reads, every other method writes. */
export type Use = 'read' | 'write';

/** The parts of a create or a replacement that a strategy looks at. */
export interface Proposed {
  readonly name: string;
  readonly spec: { readonly value: unknown; readonly text: JsonText };
}

/** The content of a replacement that a strategy looks at; hooks do not see finalizers and owner references. */
export interface ProposedUpdate extends Proposed {
  readonly labels: Labels;
  readonly metadata: JsonText;
}

/** The ports that validation outside of a transaction may use. */
export interface StrategyDeps {
  readonly schemas: SchemaValidator;
  /** `outbound.allow_insecure_origins`: none by default. */
  readonly insecureOrigins?: readonly string[];
}

/**
 * The rules of one kind, as in the registry of Kubernetes. The use cases are the same for all kinds and call these hooks at fixed
 * points of a request. A hook refuses the request by throwing a `Problem`.
 */
export interface KindStrategy {
  /** Whether resources of the kind may have owner references. */
  readonly allowsOwnerReferences: boolean;

  /**
   * Whether the caller may use this form of path, for reading or for writing. Called before any row is read, so that a
   * refusal says nothing about rows.
   */
  allows(caller: Caller, form: TargetForm, collection: Collection, use: Use): boolean;

  /**
   * The spec as it is validated, compared and stored: for members that are only written. `stored` is the spec before, null for a create.
   * It must return what is not valid unchanged.
   */
  completeSpec?(spec: JsonText, stored: JsonText | null): JsonText;

  /** Validates a create without looking at other rows. */
  validateCreate(proposed: Proposed, collection: Collection, deps: StrategyDeps): Promise<void>;

  /** Validates a replacement of the revision that `stored` has, without looking at other rows. */
  validateUpdate(
    proposed: Proposed,
    collection: Collection,
    deps: StrategyDeps,
    stored: Resource,
  ): Promise<void>;

  /**
   * Throws what only other rows show, of a body that is refused anyway: a client learns all at once. The spec may have faults; `stored` is
   * null for a create. `beforeCreate` and `beforeUpdate` check a valid spec, under locks.
   */
  checkReferences?(
    transaction: Transaction,
    spec: Readonly<Record<string, unknown>>,
    stored: Resource | null,
    by: { readonly caller: Caller; readonly verb: 'create' | 'update' | 'patch' },
  ): Promise<void>;

  /** Runs in the transaction of a create, before the insert. A kind without this hook is inserted by a single statement. */
  beforeCreate?(
    transaction: Transaction,
    proposed: Proposed,
    by: { readonly caller: Caller; readonly verb: 'create' | 'restore' },
  ): Promise<void>;

  /** Where the spec names the resource that it is about. A restore brings that one back first, and names it by its new uid. */
  readonly scopePath?: ScopePath;

  /**
   * Runs in the transaction of a replacement of the revision that `stored` has; `verb` is the one that the request needs. A kind without
   * this hook needs no transaction.
   */
  beforeUpdate?(
    transaction: Transaction,
    proposed: ProposedUpdate,
    stored: Resource,
    by: { readonly caller: Caller; readonly verb: 'update' | 'patch' },
  ): Promise<void>;

  /** Takes the locks of an update that must come before the lock of the row. */
  lockBeforeUpdate?(transaction: Transaction): Promise<void>;

  /** Takes the locks of a deletion that must come before the lock of the row, so that all writers lock in the same order. */
  lockBeforeDelete?(transaction: Transaction): Promise<void>;

  /** Runs when the row is locked and live, and refuses deletions that may not even begin. */
  beforeDelete?(transaction: Transaction, stored: Resource): Promise<void>;
}

/** Lets nobody but operators use a kind without a binding. */
export const operatorsOnly: KindStrategy['allows'] = (caller) => caller.type === 'operator';

/** A kind that exists without a definition: its collection and its rules. */
export interface BuiltInKind {
  readonly collection: Collection;
  readonly strategy: KindStrategy;
}
