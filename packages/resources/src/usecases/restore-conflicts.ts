import { type Fault, Problem } from '@platform/kernel';
import { identityOf } from '../model/resource.ts';
import type { CreateOutcome } from '../ports/resource-writer.ts';
import { InvalidStates } from '../rules/prepare-restore.ts';
import type { RestoredItem } from './restored-items.ts';
import type { MissingRelative, RestoredPlaces } from './restored-places.ts';

/** A name that a restored resource needs and that another one has. */
interface TakenName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly ancestors: readonly string[];
  /** The removed resource that needs it. */
  readonly from: string;
  /** Why a definition is refused whose plural or kind another one claims; absent for other kinds. */
  readonly detail?: string;
}

type Refusal = Exclude<CreateOutcome, { outcome: 'created' } | { outcome: 'discriminatorTaken' }>;

/** Collects all that prevents a restore, so that one answer names it. */
export class RestoreConflicts {
  readonly #places: RestoredPlaces;
  readonly #taken: TakenName[] = [];
  readonly #missing: MissingRelative[] = [];
  readonly #invalid = new InvalidStates();
  /** The new uids of what was not inserted. */
  readonly #failed = new Set<string>();
  readonly #newUids: ReadonlyMap<string, string>;

  constructor(items: readonly RestoredItem[], places: RestoredPlaces) {
    this.#places = places;
    this.#newUids = new Map(items.map(({ removed, uid }) => [removed.uid, uid]));
    for (const item of items) {
      const missing = places.missingOf(item);
      this.#missing.push(...missing);
      if (missing.some(({ relationship }) => relationship === 'parent')) this.#failed.add(item.uid);
    }
  }

  /** Whether the resource with this new uid was not inserted. */
  has(uid: string): boolean {
    return this.#failed.has(uid);
  }

  /** Whether an item cannot be inserted, because its parent does not exist or was not inserted. */
  prevents({ uid, removed: { parentUid } }: RestoredItem): boolean {
    const parent = parentUid === null ? undefined : this.#newUids.get(parentUid);
    if (parent !== undefined && this.#failed.has(parent)) this.#failed.add(uid);
    return this.#failed.has(uid);
  }

  /** Another definition may have the name of the restored one, or claim what it claims, and a scope may be gone. */
  refused(item: RestoredItem, error: unknown): void {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'definition_conflict' || error.code === 'already_exists') {
      this.#taken.push({ ...this.#nameOf(item), detail: error.message });
    } else if (error.code === 'validation_failed') {
      this.#invalid.add(item.removed, error);
    } else throw error;
    this.#failed.add(item.uid);
  }

  /** The outcome of an insert that wrote nothing. */
  outcome(item: RestoredItem, refusal: Refusal): void {
    this.#failed.add(item.uid);
    switch (refusal.outcome) {
      case 'nameTaken':
        this.#taken.push(this.#nameOf(item));
        return;
      case 'definitionTerminating':
        throw new Problem(
          'definition_terminating',
          `The definition of ${item.removed.kind} is being deleted.`,
        );
      case 'ancestorMissing':
        this.#parentGone(item);
        return;
      case 'ancestorTerminating':
        this.#parentGone(item, { terminating: true });
        return;
      case 'ownersRefused': {
        // They existed when they were read.
        const owners = this.#places.ownersOf(item);
        for (const { path } of refusal.faults) {
          const owner = owners[Number(path.split('/').at(-2))];
          if (owner === undefined) continue;
          const { kind, name, uid } = owner;
          this.#missing.push({ relationship: 'owner', kind, name, uid, of: identityOf(item.removed) });
        }
      }
    }
  }

  /** The parent was replaced by another resource of its name after it was read. */
  replacedParent(item: RestoredItem): void {
    this.#failed.add(item.uid);
    this.#parentGone(item);
  }

  #parentGone({ removed, collection }: RestoredItem, state: { readonly terminating?: true } = {}): void {
    const kind = collection?.ancestors?.at(-1)?.kind ?? '';
    const parent = { kind, name: removed.ancestors.at(-1) ?? '', uid: removed.parentUid ?? '' };
    this.#missing.push({ relationship: 'parent', ...parent, ...state, of: identityOf(removed) });
  }

  #nameOf(item: RestoredItem): TakenName {
    const { apiVersion, kind, uid } = item.removed;
    const ancestors = this.#places.parentOf(item)?.names ?? [];
    return { apiVersion, kind, name: item.name, ancestors, from: uid };
  }

  throwIfAny(): void {
    this.#invalid.throwIfAny();
    const [taken, missing] = [this.#taken, this.#missing];
    if (taken.length + missing.length === 0) return;
    const counts = [
      ...(taken.length === 0 ? [] : [`${taken.length} name(s) are taken`]),
      ...(missing.length === 0 ? [] : [`${missing.length} parent(s) or owner(s) do not exist`]),
    ];
    throw new Problem('restore_conflict', `Nothing was restored: ${counts.join(', ')}.`, {
      errors: [...taken.map(takenFault), ...missing.map(missingFault)],
      members: { taken, missing },
    });
  }
}

function takenFault({ kind, name, ancestors, detail }: TakenName): Fault {
  const place = [...ancestors, name].join('/');
  return { path: '', message: detail ?? `${kind} ${place} exists already` };
}

function missingFault({ relationship, kind, name, terminating, of }: MissingRelative): Fault {
  const state = terminating ? 'is being deleted' : 'does not exist';
  return { path: '', message: `${of.kind} ${of.name}: its ${relationship} ${kind} ${name} ${state}` };
}
