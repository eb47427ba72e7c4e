import { isPlatformError, type PlatformClient, type Resource } from 'platform-service-client';
import type { Catalog } from '../kinds/catalog.ts';
import { type Kind, pathOf } from '../kinds/kind.ts';

/** A resource with its kind and path. */
export interface Entry {
  readonly kind: Kind;
  /** Root first, its own name last. */
  readonly names: readonly string[];
  readonly resource: Resource;
}

/** A child or dependent of a resource. */
export interface Relation {
  readonly entry: Entry;
  /** A child, or a dependent through an owner reference. */
  readonly by: 'child' | 'owner';
  /** Whether it delays the removal of the parent or owner. */
  readonly blocking: boolean;
}

/** Configures the scan. */
export interface ResourceIndexOptions {
  /** Stops after this many resources. The API cannot list dependents of a resource, so everything is read. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

const concurrentLists = 8;

/** The resources of the platform, indexed by parent and owner. */
export class ResourceIndex {
  readonly #children = new Map<string, Entry[]>();
  readonly #dependents = new Map<string, Relation[]>();
  readonly #entries = new Map<string, Entry>();
  /** Whether the scan stopped before the last resource. */
  truncated = false;

  /** Reads every resource, kind by kind, parents first. */
  static async read(
    client: PlatformClient,
    catalog: Catalog,
    options: ResourceIndexOptions,
  ): Promise<ResourceIndex> {
    const index = new ResourceIndex();
    let open: CollectionToRead[] = catalog.kinds
      .filter(({ parent }) => parent === null)
      .map((kind) => ({ kind, parent: null }));
    while (open.length > 0 && !index.truncated) {
      const found = await Promise.all(
        open
          .splice(0, concurrentLists)
          .map((collection) => index.#readCollection(client, collection, options)),
      );
      const below = found
        .flat()
        .flatMap((parent) => catalog.childrenOf(parent.kind).map((kind) => ({ kind, parent })));
      open = [...open, ...below];
    }
    return index;
  }

  find(uid: string): Entry | undefined {
    return this.#entries.get(uid);
  }

  /** The children of the resource, then its other dependents. */
  below(uid: string): readonly Relation[] {
    const children = this.#children.get(uid) ?? [];
    const structural = children.map((entry): Relation => ({ entry, by: 'child', blocking: true }));
    const owned = this.#dependents.get(uid) ?? [];
    // A child that is also owned counts as a child.
    return [...structural, ...owned.filter(({ entry }) => !children.includes(entry))];
  }

  /** Everything that is deleted with the resource, nearest first, without the resource itself. */
  cascadeOf(uid: string): readonly Relation[] {
    const seen = new Set([uid]);
    const all: Relation[] = [];
    for (let open = [uid]; open.length > 0; ) {
      const next = open
        .flatMap((each) => this.below(each))
        .filter(({ entry }) => {
          const isNew = !seen.has(entry.resource.metadata.uid);
          seen.add(entry.resource.metadata.uid);
          return isNew;
        });
      all.push(...next);
      open = next.map(({ entry }) => entry.resource.metadata.uid);
    }
    return all;
  }

  async #readCollection(
    client: PlatformClient,
    { kind, parent }: CollectionToRead,
    { limit, signal }: ResourceIndexOptions,
  ): Promise<Entry[]> {
    const found: Entry[] = [];
    try {
      const collection = client.resources(pathOf(kind)).in(...(parent?.names ?? []));
      for await (const resource of collection.list({ limit: 1000, signal })) {
        if (this.#entries.size >= limit) {
          this.truncated = true;
          break;
        }
        found.push(
          this.#add({ kind, names: [...(parent?.names ?? []), resource.metadata.name], resource }, parent),
        );
      }
    } catch (error) {
      // The parent or the kind was removed in the meantime.
      if (!isPlatformError(error, 'not_found', 'unknown_collection')) throw error;
    }
    return found;
  }

  #add(entry: Entry, parent: Entry | null): Entry {
    const { uid, ownerReferences } = entry.resource.metadata;
    this.#entries.set(uid, entry);
    if (parent !== null) append(this.#children, parent.resource.metadata.uid, entry);
    for (const owner of ownerReferences) {
      append(this.#dependents, owner.uid, {
        entry,
        by: 'owner',
        blocking: owner.blockOwnerDeletion === true,
      });
    }
    return entry;
  }
}

interface CollectionToRead {
  readonly kind: Kind;
  readonly parent: Entry | null;
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}
