import type { Caller } from '../model/caller.ts';
import { isOfKind } from '../model/definition.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import type { Resource, ResourceIdentity } from '../model/resource.ts';
import type { Transaction } from '../ports/transactions.ts';
import type { RestoredItem } from './restored-items.ts';
import { visibleTo } from './visibility.ts';

/** A parent or an owner that a restored resource needs and that cannot be used. */
export interface MissingRelative {
  readonly relationship: 'parent' | 'owner';
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** Whether the resource still exists and is being deleted. */
  readonly terminating?: true;
  /** The removed resource that needs it. */
  readonly of: ResourceIdentity;
}

/** The parent that a restored resource gets: its names from the root on, and its uid. */
export interface RestoredParent {
  readonly names: readonly string[];
  readonly uid: string | null;
  /** The uids of everything that the resource will be below, as far as it exists already. */
  readonly within: readonly string[];
  /** Null for a parent that is restored with it. */
  readonly row: Resource | null;
}

/**
 * The parents and owners of restored resources: those of the set by their new uids; others as they are, or as the resource that they were
 * restored as before.
 */
export class RestoredPlaces {
  readonly #items: ReadonlyMap<string, RestoredItem>;
  readonly #rows: ReadonlyMap<string, Resource>;
  readonly #goneParents: ReadonlyMap<string, Kinded>;
  readonly #parents = new Map<string, RestoredParent | null>();

  private constructor(
    items: ReadonlyMap<string, RestoredItem>,
    rows: ReadonlyMap<string, Resource>,
    goneParents: ReadonlyMap<string, Kinded>,
  ) {
    this.#items = items;
    this.#rows = rows;
    this.#goneParents = goneParents;
  }

  static async read(
    { reader, removed }: Pick<Transaction, 'reader' | 'removed'>,
    caller: Caller,
    items: readonly RestoredItem[],
  ): Promise<RestoredPlaces> {
    const inSet = new Map(items.map((item) => [item.removed.uid, item]));
    const outside = (uids: readonly string[]) => [...new Set(uids)].filter((uid) => !inSet.has(uid));
    const parents = outside(items.flatMap(({ removed: { parentUid } }) => parentUid ?? []));
    const owners = outside(items.flatMap((item) => item.removed.ownerReferences.map(({ uid }) => uid)));
    const wanted = [...new Set([...parents, ...owners])];
    const rows = new Map((await reader.resources(wanted, { documents: false })).map((row) => [row.uid, row]));
    const gone = wanted.filter((uid) => !rows.has(uid));
    if (gone.length > 0) for (const [uid, row] of await removed.restoredAs(gone)) rows.set(uid, row);
    // Attack: the owners of removed resources tell which resources of others exist.
    const isParent = new Set(parents);
    const others = [...rows].filter(([uid]) => !isParent.has(uid));
    const isVisible = await visibleTo(
      { reader },
      caller,
      others.map(([, row]) => row),
    );
    for (const [uid, row] of others) if (!isVisible(row)) rows.delete(uid);
    const goneParents = await kindsOf(
      removed,
      parents.filter((uid) => !rows.has(uid)),
    );
    return new RestoredPlaces(inSet, rows, goneParents);
  }

  /** The parent of an item, or null when it does not exist. A root-scoped one has no names and no uid. */
  parentOf(item: RestoredItem): RestoredParent | null {
    const { uid, parentUid } = item.removed;
    const known = this.#parents.get(uid);
    if (known !== undefined) return known;
    const parent = this.#findParent(parentUid);
    this.#parents.set(uid, parent);
    return parent;
  }

  #findParent(parentUid: string | null): RestoredParent | null {
    if (parentUid === null) return { names: [], uid: null, within: [], row: null };
    const item = this.#items.get(parentUid);
    if (item !== undefined) {
      const above = this.parentOf(item);
      return above && { ...above, names: [...above.names, item.name], uid: item.uid, row: null };
    }
    const row = this.#rows.get(parentUid) ?? null;
    return (
      row && {
        names: [...row.ancestors, row.name],
        uid: row.uid,
        within: [...row.ancestorUids, row.uid],
        row,
      }
    );
  }

  /** The owners of an item, without those that it cannot have. */
  ownersOf({ removed }: RestoredItem): readonly OwnerReference[] {
    return removed.ownerReferences.flatMap((reference) => {
      const owner = this.#items.get(reference.uid) ?? this.#rows.get(reference.uid);
      if (owner === undefined || isTerminating(owner)) return [];
      return [{ ...reference, uid: owner.uid, name: owner.name }];
    });
  }

  /** The uid that an owner has now: another one when it was restored. */
  uidNow(uid: string): string {
    return (this.#items.get(uid) ?? this.#rows.get(uid))?.uid ?? uid;
  }

  /** The parents and owners that an item cannot have. A missing parent in the restored set is reported at its child. */
  missingOf({ removed, collection }: RestoredItem): readonly MissingRelative[] {
    const { apiVersion, kind, name, uid, parentUid, ancestors } = removed;
    const of = { apiVersion, kind, name, uid, parentUid };
    const missing: MissingRelative[] = [];
    const add = (relative: Omit<MissingRelative, 'of' | 'terminating'>) => {
      const row = this.#rows.get(relative.uid);
      if (this.#items.has(relative.uid) || (row !== undefined && !isTerminating(row))) return;
      missing.push({ ...relative, ...(row === undefined ? {} : { terminating: true }), of });
    };
    if (parentUid !== null) {
      const parent = this.#goneParents.get(parentUid) ?? collection?.ancestors?.at(-1);
      add({ relationship: 'parent', kind: parent?.kind ?? '', name: ancestors.at(-1) ?? '', uid: parentUid });
    }
    for (const owner of removed.ownerReferences) {
      add({ relationship: 'owner', kind: owner.kind, name: owner.name, uid: owner.uid });
    }
    return missing;
  }

  /** Whether the kind of an item still belongs below its parent, which may be gone. */
  fitsBelowParent(item: RestoredItem): boolean {
    const { collection, removed } = item;
    const parent = this.parentOf(item);
    const ancestors = collection?.ancestors ?? [];
    const kind = ancestors.at(-1);
    const above = removed.parentUid ?? '';
    const row = parent?.row ?? this.#items.get(above)?.removed ?? this.#goneParents.get(above);
    return (
      ancestors.length === (parent?.names ?? removed.ancestors).length &&
      (kind === undefined || row === undefined || isOfKind(row, kind))
    );
  }
}

type Kinded = Pick<Resource, 'apiVersion' | 'kind'>;

/** How many last states are read at once: their documents must not fill the memory. */
const chunk = 100;

/** The kinds of removed resources, as far as the change log reaches back. */
async function kindsOf(
  removed: Transaction['removed'],
  uids: readonly string[],
): Promise<ReadonlyMap<string, Kinded>> {
  const kinds = new Map<string, Kinded>();
  for (let at = 0; at < uids.length; at += chunk) {
    for (const { resource } of await removed.find(uids.slice(at, at + chunk)))
      kinds.set(resource.uid, { apiVersion: resource.apiVersion, kind: resource.kind });
  }
  return kinds;
}

function isTerminating(row: object): boolean {
  return 'deletionTimestamp' in row && row.deletionTimestamp !== null;
}
