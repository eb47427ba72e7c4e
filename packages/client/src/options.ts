import type { ItemKey } from './model/paths.ts';
import type { ChangedResource, Resource } from './model/resource.ts';

/** Options of every operation. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of writes that may be tried out. */
export interface DryRunOptions extends CallOptions {
  /** Runs all checks and answers as the real request would, and changes nothing. */
  readonly dryRun?: boolean;
}

/** Options of `patch`. */
export interface PatchOptions extends DryRunOptions {
  /** Patches the caller's status slot instead of the item. */
  readonly subresource?: 'status';
}

/** Options of `restore`. */
export interface RestoreOptions extends DryRunOptions {
  /** Whether to restore everything that the deletion removed with it; true by default. */
  readonly dependents?: boolean;
  /** Another name for the resource itself. */
  readonly name?: string | undefined;
}

/** Options of `apply`. */
export interface ApplyOptions extends DryRunOptions {
  /** Names the writer; it has the fields that it applied last. */
  readonly fieldManager: string;
  /** Takes over fields of other managers. */
  readonly force?: boolean;
}

/** Options of `list` and `pages`. */
export interface ListOptions extends CallOptions {
  /** The page size, 1 to 1000. */
  readonly limit?: number;
  /** Only resources with these labels, e.g. `app=shop,!tier`. */
  readonly labelSelector?: string | undefined;
  /** Only resources with these fields, e.g. `metadata.deletionTimestamp=`. */
  readonly fieldSelector?: string | undefined;
}

/** Options of `watch`. */
export interface WatchOptions extends CallOptions {
  /** Watches one item instead of the collection. */
  readonly key?: ItemKey;
  /** Watches only resources of the collection with these labels. One that stops matching is `DELETED`. */
  readonly labelSelector?: string | undefined;
  /** Watches only resources of the collection with these fields. */
  readonly fieldSelector?: string | undefined;
  /** Only what changed after this point: the `cursor` of an earlier event, or of a list. */
  readonly cursor?: string | undefined;
  /** The server ends the stream after so many seconds, 1 to 3600. */
  readonly timeoutSeconds?: number;
  /** The connection counts as lost when nothing arrives for so long; the server sends something at least every 15 seconds. 45,000 by default. */
  readonly silenceMs?: number;
}

/** Changes a copy of the resource in place, or returns a new resource, or returns `false` to write nothing. */
export type Change<Spec, Status> = (
  resource: Resource<Spec, Status>,
) => Changed<Spec> | Promise<Changed<Spec>>;

// biome-ignore lint/suspicious/noConfusingVoidType: TypeScript 5.4 takes no function without a return for `undefined` in a union
type Changed<Spec> = ChangedResource<Spec> | false | undefined | void;

/** Options of the requests that write. */
export interface WriteOptions extends CallOptions {
  readonly query?: Record<string, string | undefined>;
  /** Whether the request may be sent again after `outcome_unknown`. */
  readonly repeatable?: boolean;
  readonly idempotencyKey?: string;
}
