import type { PlatformClient } from '../client.ts';
import type { KindPath } from '../model/paths.ts';
import type { Resource } from '../model/resource.ts';
import type { Timers } from '../timers.ts';
import type { BackOff } from './back-off.ts';

/** What handlers are given besides the resource. */
export interface ReconcileContext<Status> {
  /** Aborted when the loop is to stop; hand it to everything that waits. */
  readonly signal: AbortSignal;
  /** The names above the resource, the root-most first, as many as `within` has kinds. */
  readonly ancestors: readonly string[];
  /** Writes the controller's status slot now, for news in the middle of long work. */
  setStatus(status: Status): Promise<void>;
}

/** What a handler of a deletion is given besides the resource. */
export interface FinalizeContext<Status> extends Omit<ReconcileContext<Status>, 'ancestors'> {
  /** Undefined when the resource is so far known from the tombstones alone, which do not tell. */
  readonly ancestors: readonly string[] | undefined;
}

/** What a handler answers. */
export interface ReconcileResult<Status> {
  /** The controller's status slot from now on; written only when it is another one. */
  readonly status?: Status;
  /** Come again after this many milliseconds, whether or not something changes. */
  readonly requeueAfterMs?: number;
}

/** What a handler of a deletion answers: with `requeueAfterMs` it is not done yet, and the finalizer stays. */
export interface FinalizeResult {
  readonly requeueAfterMs?: number;
}

/** A controller: what it looks after, and what it does about it. */
export interface ReconcileOptions<Spec = unknown, Status = unknown> {
  /** Reads, as an operator: controllers may not (specification, "Access to the generic resource API"). */
  readonly reader: PlatformClient;
  /** Writes status and finalizers, as the controller; the reader by default. */
  readonly writer?: PlatformClient;
  /** The controller's id: its status slot, and what its finalizers begin with. */
  readonly controller: string;
  readonly kind: KindPath;
  /** The kind's ancestor kinds, the root-most first. */
  readonly within?: readonly KindPath[];
  /** `<controller>/<reason>`; held on every resource that is reconciled. Required by `finalize`. */
  readonly finalizer?: string;
  /** Makes the world as `spec` says. Called again and again, so it must do nothing when nothing is left to do. */
  reconcile(
    resource: Resource<Spec, Status>,
    context: ReconcileContext<Status>,
  ): Promise<ReconcileResult<Status> | undefined>;
  /** Undoes it before the resource goes. Called until it succeeds, perhaps again after it did. */
  finalize?(
    resource: Resource<Spec, Status>,
    context: FinalizeContext<Status>,
  ): Promise<FinalizeResult | undefined>;
  /** Told of every failure; what failed is tried again by itself. `resource` is absent when the looking failed. */
  onError?(error: unknown, resource?: Resource<Spec, Status>): void;
  /** A resource is reconciled when this text changes; by default with its generation, its deletion and its finalizer. */
  observe?(resource: Resource<Spec, Status>): string;
  /** Ends the loop: nothing new is begun, and what runs is waited for. */
  readonly signal: AbortSignal;
  /** How often everything is listed, in milliseconds; 5,000 by default. */
  readonly pollMs?: number;
  /** How often the tombstones are looked at; 1,000 by default. */
  readonly pendingDeletionPollMs?: number;
  /** After this time a resource is reconciled though nothing has changed; ten minutes by default. */
  readonly resyncMs?: number;
  /** How many resources are worked on at a time; 4 by default. */
  readonly concurrency?: number;
  /** After failures; from 500 milliseconds to 60 seconds by default. */
  readonly backOff?: BackOff;
  /** Those of the reader by default. */
  readonly timers?: Timers;
}
