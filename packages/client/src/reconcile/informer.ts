import type { Resource } from '../model/resource.ts';
import { listPages } from './list-pages.ts';
import type { ReconcileOptions } from './options.ts';
import type { WorkQueue } from './work-queue.ts';

/** The state of a resource when it was last queued or reconciled. */
interface Snapshot {
  /** The resource is queued again when this text changes. */
  readonly fingerprint: string;
  readonly time: number;
  /** Undefined until a list has contained the resource: the list of tombstones does not name ancestors. */
  readonly ancestors: readonly string[] | undefined;
}

/** Polls the API, and queues the resources that changed since they were last reconciled. */
export class Informer<Spec, Status> {
  readonly #options: ReconcileOptions<Spec, Status>;
  readonly #queue: WorkQueue;
  /** By UID, because a name can be reused and a UID cannot. */
  readonly #snapshots = new Map<string, Snapshot>();
  /** The UIDs that the last poll of tombstones found. */
  #tombstones = new Set<string>();
  /** The `kind` of the resources, known after the first list. */
  #kind: string | undefined;

  constructor(options: ReconcileOptions<Spec, Status>, queue: WorkQueue) {
    this.#options = options;
    this.#queue = queue;
  }

  /** Lists the kind below every parent. */
  async list(): Promise<void> {
    const { reader, kind, within = [], signal } = this.#options;
    const found = new Set<string>();
    const known = [...this.#snapshots.keys()];
    for await (const { ancestors, page } of listPages(reader, kind, within, signal)) {
      this.#kind = page.kind.replace(/List$/, '');
      for (const resource of page.items) {
        found.add(resource.metadata.uid);
        this.#update(resource as Resource<Spec, Status>, ancestors);
      }
    }
    for (const uid of known) if (!found.has(uid) && !this.#tombstones.has(uid)) this.forget(uid);
  }

  /** Reads all tombstones in one request. It is the only way to find those whose parent is gone, since no list contains them. */
  async listTombstones(): Promise<void> {
    const { reader, kind, signal } = this.#options;
    const tombstones = await reader.pendingDeletion({ limit: 1000, signal });
    this.#tombstones = new Set(tombstones.map(({ metadata }) => metadata.uid));
    for (const resource of tombstones) {
      const isOurs = resource.apiVersion.startsWith(`${kind.group}/`) && resource.kind === this.#kind;
      if (isOurs) this.#update(resource as Resource<Spec, Status>);
    }
  }

  /** Records the state that is being reconciled: only later changes queue the resource again. */
  recordReconciled(resource: Resource<Spec, Status>): void {
    this.#record(resource, undefined);
  }

  /** The names of the ancestors, root first; undefined until a list has contained the resource. */
  ancestorsOf(uid: string): readonly string[] | undefined {
    return this.#snapshots.get(uid)?.ancestors;
  }

  /** Drops a resource that no longer exists. */
  forget(uid: string): void {
    this.#snapshots.delete(uid);
  }

  #update(resource: Resource<Spec, Status>, ancestors?: readonly string[]): void {
    const { resyncMs = 600_000 } = this.#options;
    const { uid } = resource.metadata;
    const snapshot = this.#snapshots.get(uid);
    if (snapshot === undefined || snapshot.fingerprint !== this.#fingerprint(resource)) {
      this.#record(resource, ancestors);
      this.#queue.add(uid);
      return;
    }
    if (ancestors !== undefined) this.#snapshots.set(uid, { ...snapshot, ancestors });
    if (this.#now() - snapshot.time >= resyncMs && !this.#queue.has(uid)) {
      this.#queue.add(uid);
    }
  }

  #record(resource: Resource<Spec, Status>, ancestors: readonly string[] | undefined): void {
    const { uid } = resource.metadata;
    this.#snapshots.set(uid, {
      fingerprint: this.#fingerprint(resource),
      time: this.#now(),
      ancestors: ancestors ?? this.ancestorsOf(uid),
    });
  }

  // Does not use the revision: the controller's own status writes would queue the resource again and again.
  #fingerprint(resource: Resource<Spec, Status>): string {
    const { observe, finalizer } = this.#options;
    if (observe !== undefined) return observe(resource);
    const { generation, deletionTimestamp, finalizers } = resource.metadata;
    const hasFinalizer = finalizer !== undefined && finalizers.includes(finalizer);
    return `${generation} ${deletionTimestamp !== undefined} ${hasFinalizer}`;
  }

  #now(): number {
    return (this.#options.timers ?? this.#options.reader.timers).now();
  }
}
