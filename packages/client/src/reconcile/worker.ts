import type { Collection } from '../collection.ts';
import { isPlatformError } from '../http/platform-error.ts';
import type { Resource } from '../model/resource.ts';
import { backOffDelay, defaultBackOff } from './back-off.ts';
import type { Observer } from './observer.ts';
import type { FinalizeContext, FinalizeResult, ReconcileOptions, ReconcileResult } from './options.ts';
import type { WorkQueue } from './work-queue.ts';

/** Works on what the queue hands out, one resource after another. */
export class Worker<Spec, Status> {
  readonly #options: ReconcileOptions<Spec, Status>;
  readonly #queue: WorkQueue;
  readonly #observer: Observer<Spec, Status>;
  readonly #read: Collection<Spec, Status>;
  readonly #write: Collection<Spec, Status>;
  readonly #failures = new Map<string, number>();

  constructor(options: ReconcileOptions<Spec, Status>, queue: WorkQueue, observer: Observer<Spec, Status>) {
    this.#options = options;
    this.#queue = queue;
    this.#observer = observer;
    this.#read = options.reader.resources(options.kind);
    this.#write = (options.writer ?? options.reader).resources(options.kind);
  }

  /** Works until the queue is closed. Several may run at a time. */
  async run(): Promise<void> {
    for (;;) {
      const uid = await this.#queue.take();
      if (uid === undefined) return;
      await this.#attempt(uid);
      this.#queue.done(uid);
    }
  }

  async #attempt(uid: string): Promise<void> {
    const { reader, timers = reader.timers, backOff = defaultBackOff, signal, onError } = this.#options;
    let resource: Resource<Spec, Status> | undefined;
    try {
      // What the list showed may be long ago.
      resource = await this.#read.get({ uid }, { signal });
      const result = await this.#work(resource);
      this.#failures.delete(uid);
      if (result?.requeueAfterMs !== undefined) this.#queue.addLater(uid, result.requeueAfterMs);
    } catch (error) {
      if (isPlatformError(error, 'not_found')) {
        this.#failures.delete(uid);
        this.#observer.forget(uid);
      } else if (!signal.aborted) {
        const failures = (this.#failures.get(uid) ?? 0) + 1;
        this.#failures.set(uid, failures);
        onError?.(error, resource);
        this.#queue.addLater(uid, backOffDelay(backOff, failures, timers.random()));
      }
    }
  }

  async #work(seen: Resource<Spec, Status>): Promise<ReconcileResult<Status> | FinalizeResult | undefined> {
    const { finalizer } = this.#options;
    this.#observer.worked(seen);
    let resource = seen;
    if (
      !isDeleting(resource) &&
      finalizer !== undefined &&
      !resource.metadata.finalizers.includes(finalizer)
    ) {
      // Before anything is done for it: from now on it cannot go without `finalize`.
      resource = await this.#changeFinalizers(resource, { add: [finalizer] });
    }
    // The answer may tell that a deletion came first.
    return isDeleting(resource) ? await this.#finalize(resource) : await this.#reconcile(resource);
  }

  async #reconcile(resource: Resource<Spec, Status>): Promise<ReconcileResult<Status> | undefined> {
    const context = this.#contextOf(resource);
    // What lives was listed.
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
      ancestors: this.#observer.ancestorsOf(resource.metadata.uid),
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
    // Named, so that an operator who runs the controller writes its slot too.
    const options = { slot: controller, signal: this.#options.signal };
    resource.status = (await this.#write.setStatus({ uid: resource.metadata.uid }, status, options)).status;
  }

  async #changeFinalizers(
    { metadata: { uid } }: Resource<Spec, Status>,
    change: { readonly add?: string[]; readonly remove?: string[] },
  ): Promise<Resource<Spec, Status>> {
    const changed = await this.#write.changeFinalizers({ uid }, change, { signal: this.#options.signal });
    this.#observer.worked(changed);
    return changed;
  }
}

function isDeleting({ metadata }: Resource): boolean {
  return metadata.deletionTimestamp !== undefined;
}
