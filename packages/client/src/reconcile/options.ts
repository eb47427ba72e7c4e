import type { PlatformClient } from '../client.ts';
import type { BackOff } from '../http/backoff.ts';
import type { LeaderElectionOptions } from '../leader-election/options.ts';
import type { KindPath } from '../model/paths.ts';
import type { Resource } from '../model/resource.ts';
import type { Timers } from '../timers.ts';
import type { EventSource } from './follow.ts';
import type { RateLimit } from './token-bucket.ts';
import type { QueueDepth, Retry } from './work-queue.ts';

/** The second argument of `reconcile`. */
export interface ReconcileContext<Status> {
  /** Aborted when the controller stops. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  /** The names of the ancestors, root first, one for each kind of `within`. */
  readonly ancestors: readonly string[];
  /** Writes the controller's status slot at once, to report progress during long work. */
  setStatus(status: Status): Promise<void>;
}

/** The second argument of `finalize`. */
export interface FinalizeContext<Status> extends Omit<ReconcileContext<Status>, 'ancestors'> {
  /** Undefined when the resource was found only among the tombstones, which do not name their ancestors. */
  readonly ancestors: readonly string[] | undefined;
}

/** The result of `reconcile`. */
export interface ReconcileResult<Status> {
  /** The new content of the controller's status slot. It is written only when it differs from the stored one. */
  readonly status?: Status;
  /** Reconcile again after this many milliseconds, even without a change. */
  readonly requeueAfterMs?: number;
}

/** The result of `finalize`. With `requeueAfterMs` the clean-up is not complete, and the finalizer stays. */
export interface FinalizeResult {
  readonly requeueAfterMs?: number;
}

/** A kind whose resources belong to resources of the reconciled kind. */
export interface OwnedKind {
  readonly kind: KindPath;
  /** The ancestor kinds of the kind, root first. */
  readonly within?: readonly KindPath[];
  /**
   * The UIDs of the owners of a resource. By default those of its owner references, and the resource above it when that is of the
   * reconciled kind. Other UIDs are ignored.
   */
  readonly ownersOf?: (resource: Resource) => readonly string[];
  /** Replaces the watch of the kind in tests. */
  readonly events?: EventSource;
}

/** Called with what a controller does. All methods are optional. */
export interface ControllerMetrics {
  /** A resource was processed, after it had waited in the queue. */
  reconciled?(run: {
    readonly outcome: 'succeeded' | 'failed';
    readonly waitedMs: number;
    readonly durationMs: number;
    /** How often in a row it has failed; 0 after a success. */
    readonly failures: number;
    /** How many resources are left in the queue, in each state. */
    readonly depth: QueueDepth;
  }): void;
  /** A resource failed and waits to be tried again. */
  retried?(retry: Retry): void;
  /** A resource entered or left the queue, or its state in it changed. */
  queue?(depth: QueueDepth): void;
  /** The state of the watch of the kind; `polling` with servers that have none. */
  stream?(state: 'connected' | 'interrupted' | 'polling'): void;
  /** This replica began or stopped to lead. */
  leader?(leads: boolean): void;
}

/** Configures a controller. */
export interface ReconcileOptions<Spec = unknown, Status = unknown> {
  /** Reads with an operator's token, or with the controller's own when its configuration has `read: true`. */
  readonly reader: PlatformClient;
  /** Writes status and finalizers with the controller's own token; the reader by default. */
  readonly writer?: PlatformClient;
  /** The id of the controller: the name of its status slot and the prefix of its finalizers. */
  readonly controller: string;
  readonly kind: KindPath;
  /** The ancestor kinds of the kind, root first. */
  readonly within?: readonly KindPath[];
  /** `<controller>/<reason>`. It is added to every resource before it is reconciled. Required by `finalize`. */
  readonly finalizer?: string;
  /** Brings the outside world in line with `spec`. It must be idempotent, because it is called repeatedly. */
  reconcile(
    resource: Resource<Spec, Status>,
    context: ReconcileContext<Status>,
    // biome-ignore lint/suspicious/noConfusingVoidType: lets an async handler end without a return statement
  ): Promise<ReconcileResult<Status> | undefined | void>;
  /** Cleans up before the resource is removed. It is called until it succeeds, and possibly again afterwards. */
  finalize?(
    resource: Resource<Spec, Status>,
    context: FinalizeContext<Status>,
    // biome-ignore lint/suspicious/noConfusingVoidType: lets an async handler end without a return statement
  ): Promise<FinalizeResult | undefined | void>;
  /** Kinds whose resources belong to one of this kind: the owner is reconciled again when one of them changes. */
  readonly owns?: readonly OwnedKind[];
  /** Elects one leader among several replicas: only the leader watches and reconciles. Without it, every replica does. */
  readonly leaderElection?: LeaderElectionOptions;
  /** Told what the loop does, for metrics. */
  readonly metrics?: ControllerMetrics;
  /** Replaces the watch of the kind in tests; see `fakeEvents`. */
  readonly events?: EventSource;
  /** Called for every failure; failed work is retried without it. `resource` is undefined when the stream failed. An error thrown by it ends the controller. */
  onError?(error: unknown, resource?: Resource<Spec, Status>): void;
  /** A resource is reconciled when the returned text changes. By default: its generation, deletion and finalizer. */
  observe?(resource: Resource<Spec, Status>): string;
  /** Stops the controller: running work is completed, and no new work starts. */
  readonly signal: AbortSignal;
  /** The interval between two lists of the kind, in milliseconds; 5,000 by default. Only for servers without watches. */
  readonly pollMs?: number;
  /** The interval between two lists of the tombstones, in milliseconds; 1,000 by default. Only for servers without watches. */
  readonly pendingDeletionPollMs?: number;
  /** A resource is reconciled after this time even without a change, in milliseconds; 600,000 by default. */
  readonly resyncMs?: number;
  /** How many resources are reconciled concurrently; 4 by default. */
  readonly concurrency?: number;
  /** The wait after failures; from 500 milliseconds to 60 seconds by default. */
  readonly backOff?: BackOff;
  /** Retries of all resources together; 10 a second and bursts of 100 by default. */
  readonly rateLimit?: RateLimit;
  /** The reader's timers by default. */
  readonly timers?: Timers;
}
