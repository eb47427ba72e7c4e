import type { Resource } from '../model/resource.ts';
import type { ReconcileOptions } from './options.ts';
import { walk } from './walk.ts';
import type { WorkQueue } from './work-queue.ts';

/** What was seen of a resource when it was last worked on. */
interface Sight {
  readonly mark: string;
  readonly at: number;
  /** Where it was listed; tombstones that no list reaches are nowhere. */
  readonly ancestors: readonly string[] | undefined;
}

/** Looks at the platform, and puts into the queue what is not as it was when it was last worked on. */
export class Observer<Spec, Status> {
  readonly #options: ReconcileOptions<Spec, Status>;
  readonly #queue: WorkQueue;
  /** By UID: names come again, UIDs never do. */
  readonly #sights = new Map<string, Sight>();
  /** The UIDs that were being deleted when last looked at. */
  #tombstones = new Set<string>();
  /** The kind's name, known from the first list on. */
  #kind: string | undefined;

  constructor(options: ReconcileOptions<Spec, Status>, queue: WorkQueue) {
    this.#options = options;
    this.#queue = queue;
  }

  /** Lists the kind, everywhere. */
  async list(): Promise<void> {
    const { reader, kind, within = [], signal } = this.#options;
    const found = new Set<string>();
    const known = [...this.#sights.keys()];
    for await (const { ancestors, page } of walk(reader, kind, within, signal)) {
      this.#kind = page.kind.replace(/List$/, '');
      for (const resource of page.items) {
        found.add(resource.metadata.uid);
        this.#look(resource as Resource<Spec, Status>, ancestors);
      }
    }
    for (const uid of known) if (!found.has(uid) && !this.#tombstones.has(uid)) this.forget(uid);
  }

  /** Looks at what is being deleted: one request for all of it, and the only way to what no list reaches any more. */
  async pendingDeletion(): Promise<void> {
    const { reader, kind, signal } = this.#options;
    const tombstones = await reader.pendingDeletion({ limit: 1000, signal });
    this.#tombstones = new Set(tombstones.map(({ metadata }) => metadata.uid));
    for (const resource of tombstones) {
      const isOurs = resource.apiVersion.startsWith(`${kind.group}/`) && resource.kind === this.#kind;
      if (isOurs) this.#look(resource as Resource<Spec, Status>);
    }
  }

  /** Notes what a resource is like now that it is worked on: from here on, only changes count. */
  worked(resource: Resource<Spec, Status>): void {
    this.#see(resource, undefined);
  }

  /** The names above a resource, the root-most first, as far as a list has shown them. */
  ancestorsOf(uid: string): readonly string[] | undefined {
    return this.#sights.get(uid)?.ancestors;
  }

  /** The resource is gone. */
  forget(uid: string): void {
    this.#sights.delete(uid);
  }

  #look(resource: Resource<Spec, Status>, ancestors?: readonly string[]): void {
    const { resyncMs = 600_000 } = this.#options;
    const { uid } = resource.metadata;
    const sight = this.#sights.get(uid);
    if (sight === undefined || sight.mark !== this.#mark(resource)) {
      this.#see(resource, ancestors);
      this.#queue.add(uid);
      return;
    }
    if (ancestors !== undefined) this.#sights.set(uid, { ...sight, ancestors });
    if (this.#now() - sight.at >= resyncMs && !this.#queue.has(uid)) {
      this.#queue.add(uid);
    }
  }

  #see(resource: Resource<Spec, Status>, ancestors: readonly string[] | undefined): void {
    const { uid } = resource.metadata;
    const sight = { mark: this.#mark(resource), at: this.#now() };
    this.#sights.set(uid, { ...sight, ancestors: ancestors ?? this.ancestorsOf(uid) });
  }

  // Not the revision: the controller's own status writes would wake it for ever.
  #mark(resource: Resource<Spec, Status>): string {
    const { observe, finalizer } = this.#options;
    if (observe !== undefined) return observe(resource);
    const { generation, deletionTimestamp, finalizers } = resource.metadata;
    const held = finalizer !== undefined && finalizers.includes(finalizer);
    return `${generation} ${deletionTimestamp !== undefined} ${held}`;
  }

  #now(): number {
    return (this.#options.timers ?? this.#options.reader.timers).now();
  }
}
