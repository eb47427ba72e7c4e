import { type Fault, firstFaults, maxFaults, Problem } from '@platform/kernel';
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

/** The first entries of a list that one answer has room for, and how many there are. */
class FirstEntries<T> {
  readonly entries: T[] = [];
  count = 0;

  push(...more: readonly T[]): void {
    this.count += more.length;
    this.entries.push(...more.slice(0, maxFaults - this.entries.length));
  }
}

/**
 * Collects what prevents a restore, so that one answer names it: the first {@link maxFaults} names and relatives, and how many there are.
 * Attack: a restore of ten thousand resources whose names are all taken, and whose owners are all gone, is answered by megabytes.
 */
export class RestoreConflicts {
  readonly #places: RestoredPlaces;
  readonly #taken = new FirstEntries<TakenName>();
  readonly #missing = new FirstEntries<MissingRelative>();
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
    if (taken.count + missing.count === 0) return;
    const counts = [
      ...(taken.count === 0 ? [] : [`${taken.count} name(s) are taken`]),
      ...(missing.count === 0 ? [] : [`${missing.count} parent(s) or owner(s) do not exist`]),
    ];
    const faults = [...taken.entries.map(takenFault), ...missing.entries.map(missingFault)];
    throw new Problem('restore_conflict', `Nothing was restored: ${counts.join(', ')}.`, {
      errors: firstFaults(faults.slice(0, maxFaults)),
      members: { taken: taken.entries, missing: missing.entries },
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
