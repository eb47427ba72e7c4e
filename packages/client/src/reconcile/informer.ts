import type { Resource } from '../model/resource.ts';
import type { StateHandler } from './follow.ts';
import { listPages } from './list-pages.ts';
import type { ReconcileOptions } from './options.ts';
import type { WorkQueue } from './work-queue.ts';

/** A resource as it was last seen. */
interface Snapshot {
  /** The resource is queued again when this text changes. */
  readonly fingerprint: string;
  /** When it was last queued or reconciled. */
  readonly time: number;
  /** Undefined until a list has contained the resource: the list of tombstones of earlier servers does not name ancestors. */
  readonly ancestors: readonly string[] | undefined;
  /** The newest known state; undefined while the platform is polled, since it would be old. */
  readonly cached: Resource | undefined;
  /** Whether the platform may have lost this state: a restore or a failover goes back to an earlier one. */
  readonly isDoubtful: boolean;
}

/** Keeps the state of the kind, by watching or polling, and queues the resources that changed since they were last reconciled. */
export class Informer<Spec, Status> implements StateHandler {
  readonly #options: ReconcileOptions<Spec, Status>;
  readonly #queue: WorkQueue;
  /** By UID, because a name can be reused and a UID cannot. */
  readonly #snapshots = new Map<string, Snapshot>();
  /** The UIDs by path, for events of children; only while watching. */
  readonly #uids = new Map<string, string>();
  /** The UIDs that the last poll of tombstones found. */
  #tombstones = new Set<string>();
  /** The `kind` of the resources, known after the first list. */
  #kind: string | undefined;
  #isWatching = true;

  constructor(options: ReconcileOptions<Spec, Status>, queue: WorkQueue) {
    this.#options = options;
    this.#queue = queue;
  }

  /** From now on the state comes from polls, and no state is kept to be used later. */
  poll(): void {
    this.#isWatching = false;
    this.#uids.clear();
  }

  changed(resource: Resource): void {
    const { ancestors, name, uid } = resource.metadata;
    this.#uids.set(pathOf(ancestors, name), uid);
    this.#update(resource as Resource<Spec, Status>, ancestors);
  }

  removed({ metadata: { ancestors, name, uid } }: Resource): void {
    const path = pathOf(ancestors, name);
    if (this.#uids.get(path) === uid) this.#uids.delete(path);
    this.forget(uid);
  }

  restarted(): void {
    for (const [uid, snapshot] of this.#snapshots)
      this.#snapshots.set(uid, { ...snapshot, isDoubtful: true });
  }

  replaced(uids: ReadonlySet<string>): void {
    for (const [uid, { cached }] of this.#snapshots) {
      if (uids.has(uid)) continue;
      if (cached === undefined) this.forget(uid);
      else this.removed(cached);
    }
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
    this.resync();
  }

  /** Reads all tombstones. It is the only way to find those whose parent is gone, since no list contains them. */
  async listTombstones(): Promise<void> {
    const { reader, kind, signal } = this.#options;
    const tombstones: Resource[] = [];
    for await (const { items } of reader.pendingDeletionPages({ limit: 1000, signal }))
      tombstones.push(...items);
    this.#tombstones = new Set(tombstones.map(({ metadata }) => metadata.uid));
    for (const resource of tombstones) {
      const isOurs = resource.apiVersion.startsWith(`${kind.group}/`) && resource.kind === this.#kind;
      if (isOurs) this.#update(resource as Resource<Spec, Status>);
    }
  }

  /** Queues the resources that were not reconciled for `resyncMs`. */
  resync(): void {
    const { resyncMs = 600_000 } = this.#options;
    const due = this.#now() - resyncMs;
    for (const [uid, { time }] of this.#snapshots)
      if (time <= due && !this.#queue.has(uid)) this.#queue.add(uid);
  }

  /** Queues every known resource. */
  queueAll(): void {
    for (const uid of this.#snapshots.keys()) this.#queue.add(uid);
  }

  /** Records the state that is being reconciled: only later changes queue the resource again. */
  recordReconciled(resource: Resource<Spec, Status>): void {
    if (this.#isSuperseded(resource)) return;
    this.#record(resource, undefined);
  }

  /** Records a state without work to do: the platform has answered a write of the controller with it. */
  recordWritten(resource: Resource<Spec, Status>): void {
    const snapshot = this.#snapshots.get(resource.metadata.uid);
    if (snapshot === undefined || this.#isSuperseded(resource)) return;
    const cached = this.#kept(resource);
    this.#snapshots.set(resource.metadata.uid, { ...snapshot, cached, isDoubtful: false });
  }

  /** A copy of the newest known state; undefined when it must be read from the platform. */
  cached(uid: string): Resource<Spec, Status> | undefined {
    const { json } = this.#options.reader;
    const { cached, isDoubtful } = this.#snapshots.get(uid) ?? {};
    if (cached === undefined || isDoubtful === true) return undefined;
    return json.parse(json.stringify(cached) as string) as Resource<Spec, Status>;
  }

  /** Whether the resource is known to exist. */
  has(uid: string): boolean {
    return this.#snapshots.has(uid);
  }

  /** The UID of the resource at a path; undefined when there is none. */
  uidAt(ancestors: readonly string[], name: string): string | undefined {
    return this.#uids.get(pathOf(ancestors, name));
  }

  /** The names of the ancestors, root first; undefined until they are known. */
  ancestorsOf(uid: string): readonly string[] | undefined {
    return this.#snapshots.get(uid)?.ancestors;
  }

  /** Drops a resource that no longer exists. */
  forget(uid: string): void {
    this.#snapshots.delete(uid);
  }

  #update(resource: Resource<Spec, Status>, ancestors?: readonly string[]): void {
    const { uid } = resource.metadata;
    const snapshot = this.#snapshots.get(uid);
    // The answer to a write of the controller may have come before the event of an earlier one.
    if (snapshot !== undefined && isOlder(resource, snapshot)) return;
    if (
      snapshot === undefined ||
      snapshot.fingerprint !== this.#fingerprint(resource) ||
      isEarlier(resource, snapshot) ||
      this.#isOther(resource, snapshot)
    ) {
      this.#record(resource, ancestors);
      this.#queue.add(uid);
      return;
    }
    this.#snapshots.set(uid, {
      ...snapshot,
      ancestors: ancestors ?? snapshot.ancestors,
      cached: this.#kept(resource),
      isDoubtful: false,
    });
  }

  // The platform may have lost a write, and got another one since that has its generation.
  #isOther({ spec }: Resource<Spec, Status>, { cached, isDoubtful }: Snapshot): boolean {
    const { json } = this.#options.reader;
    return isDoubtful && cached !== undefined && json.stringify(spec) !== json.stringify(cached.spec);
  }

  #record(resource: Resource<Spec, Status>, ancestors: readonly string[] | undefined): void {
    const { uid } = resource.metadata;
    this.#snapshots.set(uid, {
      fingerprint: this.#fingerprint(resource),
      time: this.#now(),
      ancestors: ancestors ?? this.ancestorsOf(uid),
      cached: this.#kept(resource),
      isDoubtful: false,
    });
  }

  // Events of later writes, and of the removal, may come before the answer to a write of the controller.
  #isSuperseded(resource: Resource<Spec, Status>): boolean {
    const snapshot = this.#snapshots.get(resource.metadata.uid);
    return snapshot === undefined || isOlder(resource, snapshot);
  }

  #kept(resource: Resource<Spec, Status>): Resource | undefined {
    return this.#isWatching ? (resource as Resource) : undefined;
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

function isOlder(resource: Resource, snapshot: Snapshot): boolean {
  return !snapshot.isDoubtful && isEarlier(resource, snapshot);
}

function isEarlier({ metadata }: Resource, { cached }: Snapshot): boolean {
  return cached !== undefined && metadata.revision < cached.metadata.revision;
}

function pathOf(ancestors: readonly string[], name: string): string {
  return [...ancestors, name].join('/');
}
