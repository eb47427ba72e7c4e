import type { Collection } from '../collection.ts';
import { isPlatformError } from '../http/platform-error.ts';
import type { Resource } from '../model/resource.ts';
import { type Completion, completed } from './completed.ts';
import type { Informer } from './informer.ts';
import type { FinalizeContext, FinalizeResult, ReconcileOptions, ReconcileResult } from './options.ts';
import type { WorkQueue } from './work-queue.ts';

/** Reconciles the resources of the queue, one after another. */
export class Worker<Spec, Status> {
  readonly #options: ReconcileOptions<Spec, Status>;
  readonly #queue: WorkQueue;
  readonly #informer: Informer<Spec, Status>;
  readonly #readable: Collection<Spec, Status>;
  readonly #writable: Collection<Spec, Status>;
  /** Failures of requests for the resource itself. A handler may fail with `not_found` as well, for something else that it reads. */
  readonly #ownFailures = new WeakSet<object>();

  readonly #completion: Completion;

  /** `abandoned` is aborted when this process may write no more. */
  constructor(
    options: ReconcileOptions<Spec, Status>,
    queue: WorkQueue,
    informer: Informer<Spec, Status>,
    abandoned: AbortSignal,
  ) {
    const { signal: stopping, reader, timers = reader.timers } = options;
    this.#completion = { stopping, abandoned, timers };
    this.#options = options;
    this.#queue = queue;
    this.#informer = informer;
    this.#readable = options.reader.resources(options.kind);
    this.#writable = (options.writer ?? options.reader).resources(options.kind);
  }

  /** Runs until the queue is closed. Several runs may be active at the same time. */
  async run(): Promise<void> {
    for (;;) {
      const uid = await this.#queue.get();
      if (uid === undefined) return;
      await this.#attempt(uid);
      this.#queue.done(uid);
    }
  }

  async #attempt(uid: string): Promise<void> {
    const { reader, timers = reader.timers, signal, onError, metrics } = this.#options;
    const waitedMs = this.#queue.waited(uid);
    const begun = timers.now();
    let resource: Resource<Spec, Status> | undefined;
    let outcome: 'succeeded' | 'failed' = 'succeeded';
    try {
      // While the platform is polled, the listed state may be outdated.
      resource = this.#informer.cached(uid) ?? (await this.#own(this.#readable.get({ uid }, { signal })));
      const result = await this.#process(resource);
      this.#queue.forget(uid);
      if (result?.requeueAfterMs !== undefined) this.#queue.addAfter(uid, result.requeueAfterMs);
    } catch (error) {
      if (isPlatformError(error, 'not_found') && this.#ownFailures.has(error)) {
        this.#queue.forget(uid);
        this.#informer.forget(uid);
      } else if (!signal.aborted) {
        outcome = 'failed';
        onError?.(error, resource);
        const retry = this.#queue.addRateLimited(uid);
        metrics?.retried?.(retry);
      } else if (isPlatformError(error) && this.#ownFailures.has(error)) {
        // A stopped handler may fail with anything, which is not reported. A failure of its last write is.
        outcome = 'failed';
        onError?.(error, resource);
      }
    }
    const failures = this.#queue.failures(uid);
    const { depth } = this.#queue;
    metrics?.reconciled?.({ outcome, waitedMs, durationMs: timers.now() - begun, failures, depth });
  }

  async #process(
    latest: Resource<Spec, Status>,
  ): Promise<ReconcileResult<Status> | FinalizeResult | undefined> {
    const { finalizer } = this.#options;
    this.#informer.recordReconciled(latest);
    let resource = latest;
    if (
      !isDeleting(resource) &&
      finalizer !== undefined &&
      !resource.metadata.finalizers.includes(finalizer)
    ) {
      // Before any work: from now on the resource cannot be removed without `finalize`.
      resource = await this.#changeFinalizers(resource, { add: [finalizer] });
    }
    // The resource may have been deleted in the meantime.
    return isDeleting(resource) ? await this.#finalize(resource) : await this.#reconcile(resource);
  }

  async #reconcile(resource: Resource<Spec, Status>): Promise<ReconcileResult<Status> | undefined> {
    const context = this.#contextOf(resource);
    // A resource that is not being deleted has been listed, so its ancestors are known.
    const { ancestors = [] } = context;
    const result = (await this.#options.reconcile(resource, { ...context, ancestors })) ?? undefined;
    if (result?.status !== undefined) await this.#setStatus(resource, result.status);
    return result;
  }

  async #finalize(resource: Resource<Spec, Status>): Promise<FinalizeResult | undefined> {
    const { finalizer, finalize } = this.#options;
    if (finalizer === undefined || !resource.metadata.finalizers.includes(finalizer)) return undefined;
    const result = (await finalize?.call(this.#options, resource, this.#contextOf(resource))) ?? undefined;
    if (result?.requeueAfterMs === undefined) {
      await this.#changeFinalizers(resource, { remove: [finalizer] });
    }
    return result;
  }

  #contextOf(resource: Resource<Spec, Status>): FinalizeContext<Status> {
    return {
      ancestors: this.#informer.ancestorsOf(resource.metadata.uid),
      signal: this.#options.signal,
      setStatus: (status) => this.#setStatus(resource, status),
    };
  }

  async #setStatus(resource: Resource<Spec, Status>, status: Status): Promise<void> {
    const { controller, reader } = this.#options;
    const { controllers } = resource.status;
    const stored = Object.hasOwn(controllers, controller)
      ? reader.json.stringify(controllers[controller])
      : undefined;
    if (stored === reader.json.stringify(status)) return;
    // The slot is named, because a controller that runs as an operator would write the operator's slot otherwise.
    const { uid } = resource.metadata;
    const written = await this.#write((signal) =>
      this.#writable.setStatus({ uid }, status, { slot: controller, signal }),
    );
    this.#informer.recordWritten(written);
    resource.status = written.status;
  }

  async #changeFinalizers(
    { metadata: { uid } }: Resource<Spec, Status>,
    change: { readonly add?: string[]; readonly remove?: string[] },
  ): Promise<Resource<Spec, Status>> {
    const changed = await this.#write((signal) =>
      this.#writable.changeFinalizers({ uid }, change, { signal }),
    );
    this.#informer.recordReconciled(changed);
    return changed;
  }

  #write<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#own(completed(this.#completion, send));
  }

  /** Settles like a request for the resource that is processed, and remembers its failure as one. */
  async #own<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } catch (error) {
      if (isPlatformError(error)) this.#ownFailures.add(error);
      throw error;
    }
  }
}

function isDeleting({ metadata }: Resource): boolean {
  return metadata.deletionTimestamp !== undefined;
}
