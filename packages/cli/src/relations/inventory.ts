import { isPlatformError, type PlatformClient, type Resource } from '@platform/client';
import type { Catalog } from '../kinds/catalog.ts';
import { type Kind, pathOf } from '../kinds/kind.ts';

/** A resource and where it stands. */
export interface Entry {
  readonly kind: Kind;
  /** From the root on, its own name last. */
  readonly names: readonly string[];
  readonly resource: Resource;
}

/** A resource below or owned by another. */
export interface Relation {
  readonly entry: Entry;
  /** A structural child, or a dependent through an owner reference. */
  readonly by: 'child' | 'owner';
  /** Whether the other one stays until this one is gone. */
  readonly blocking: boolean;
}

/** What an inventory takes. */
export interface InventoryOptions {
  /** Stops after this many resources: the API has no question for "all that X owns", so everything is looked at. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

const parallel = 8;

/** The resources of the platform, by what hangs together. */
export class Inventory {
  readonly #children = new Map<string, Entry[]>();
  readonly #dependents = new Map<string, Relation[]>();
  readonly #entries = new Map<string, Entry>();
  /** Whether there are more resources than were looked at. */
  truncated = false;

  /** Looks at every resource, kind by kind from the roots down. */
  static async read(client: PlatformClient, catalog: Catalog, options: InventoryOptions): Promise<Inventory> {
    const inventory = new Inventory();
    let open: Visit[] = catalog.kinds
      .filter(({ parent }) => parent === null)
      .map((kind) => ({ kind, parent: null }));
    while (open.length > 0 && !inventory.truncated) {
      const found = await Promise.all(
        open.splice(0, parallel).map((visit) => inventory.#visit(client, visit, options)),
      );
      const below = found
        .flat()
        .flatMap((parent) => catalog.childrenOf(parent.kind).map((kind) => ({ kind, parent })));
      open = [...open, ...below];
    }
    return inventory;
  }

  find(uid: string): Entry | undefined {
    return this.#entries.get(uid);
  }

  /** What is below the resource, and what it owns. */
  below(uid: string): readonly Relation[] {
    const children = this.#children.get(uid) ?? [];
    const structural = children.map((entry): Relation => ({ entry, by: 'child', blocking: true }));
    const owned = this.#dependents.get(uid) ?? [];
    // Who is both is a child above all.
    return [...structural, ...owned.filter(({ entry }) => !children.includes(entry))];
  }

  /** Everything that goes with the resource, near ones first; without itself. */
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

  async #visit(
    client: PlatformClient,
    { kind, parent }: Visit,
    { limit, signal }: InventoryOptions,
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
      // The parent, or the kind itself, has gone meanwhile.
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

interface Visit {
  readonly kind: Kind;
  readonly parent: Entry | null;
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}
