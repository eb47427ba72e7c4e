import type { Collection, PlatformClient } from 'platform-service-client';
import type { Catalog } from '../kinds/catalog.ts';
import { labelOf } from '../kinds/target.ts';

/** An identity in the answers about deletions. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly parentUid: string | null;
}

/** The notation of an identity, without its ancestors: `page/hello`. */
export function shortLabel({ kind, name }: Pick<Identity, 'kind' | 'name'>): string {
  return labelOf(kind, [name]);
}

/** A resource that is deleted with another one. */
export interface Planned extends Identity {
  readonly because: {
    readonly relationship: 'structuralChild' | 'ownerReference';
    /** Absent where the caller may not see it. */
    readonly owner?: Identity;
    readonly blockOwnerDeletion?: boolean;
  };
  readonly effect: 'removed' | 'held';
  readonly heldBy: readonly {
    readonly resource: Identity;
    readonly finalizers: readonly string[];
    readonly protected: boolean;
  }[];
}

/** Everything that a deletion would affect, nearest first. */
export interface Plan {
  /** Null when there are too many resources for a plan. */
  readonly hash: string | null;
  readonly resources: readonly Planned[];
  readonly protected: readonly Identity[];
  readonly truncated?: true;
}

/** Reads the deletion plan of a resource. */
export async function readPlan(
  client: PlatformClient,
  collection: Collection,
  uid: string,
  signal: AbortSignal,
): Promise<Plan> {
  const path = collection.path({ uid }, 'deletion-plan');
  const { text } = await client.send({ method: 'GET', path, signal });
  return client.json.parse(text) as Plan;
}

/** The notations of resources whose identities are known. Unknown names of ancestors are shown as dots. */
export class Labels {
  readonly #catalog: Catalog;
  readonly #names = new Map<string, readonly string[]>();
  readonly #identities = new Map<string, Identity>();

  constructor(catalog: Catalog, identities: readonly Identity[]) {
    this.#catalog = catalog;
    for (const identity of identities) this.#identities.set(identity.uid, identity);
  }

  /** Adds the names of a resource, root first, which include those of its ancestors. */
  learn(uid: string, names: readonly string[]): this {
    this.#names.set(uid, names);
    return this;
  }

  of(identity: Identity): string {
    return labelOf(identity.kind, this.#namesOf(identity));
  }

  #namesOf({ uid, apiVersion, kind, name, parentUid }: Identity): readonly string[] {
    const known = this.#names.get(uid);
    if (known !== undefined) return known;
    const parent = parentUid === null ? undefined : this.#identities.get(parentUid);
    const above = parentUid === null ? [] : (this.#names.get(parentUid) ?? (parent && this.#namesOf(parent)));
    const depth = this.#catalog.find(apiVersion, kind)?.parent == null && above === undefined ? [] : ['...'];
    return [...(above ?? depth), name];
  }
}

/** The relation of a child or dependent to its parent or owner. */
export function relationOf({
  relationship,
  blockOwnerDeletion,
}: {
  readonly relationship: string;
  readonly blockOwnerDeletion?: boolean;
}): string {
  if (relationship === 'structuralChild') return '[child, blocks]';
  return blockOwnerDeletion === true ? '[owned, blocks]' : '[owned, does not block]';
}
