import type { Resource } from '../api/resource.ts';
import type { Cell } from '../logic/columns.ts';
import { byPlace, comparator, hasText, type Row, type Sort } from './row.ts';

/** Changes that wait until the user lets go of the table, or until it goes live again. */
export interface Waiting {
  readonly added: number;
  readonly gone: number;
  readonly moved: number;
  readonly changed: number;
}

/** The latest state of a row that came while the table was frozen; without a row, it was removed at this revision. */
interface Later {
  readonly revision: number;
  readonly row: Row | null;
}

export const protectionAnnotation = 'platform.dev/deletion-protection';

/**
 * The rows of a table and their order. Changes in place apply at once; while `held`, the order stays as it is shown, so that nothing moves
 * under the pointer, and what waits is counted. While frozen, the rows stay as they are, too.
 */
export class LiveTable {
  readonly #rows = new Map<string, Row>();
  readonly #read: (resource: Resource) => readonly Cell[];
  readonly #now: () => number;
  #order: string[] = [];
  #held = false;
  #stale = false;
  #sort: Sort = null;
  #filter = '';
  #added = new Set<string>();
  #gone = new Set<string>();
  #moved = new Set<string>();
  /** Rows that are still in their place, and do not match the filter any more. */
  #left = new Set<string>();
  /** Null while the table is not frozen. */
  #later: Map<string, Later> | null = null;

  constructor(read: (resource: Resource) => readonly Cell[], now: () => number) {
    this.#read = read;
    this.#now = now;
  }

  /** Rows that the table shows. */
  get length(): number {
    return this.#order.length;
  }

  /** Resources that are known, whatever the filter. */
  get size(): number {
    return this.#rows.size - this.#gone.size;
  }

  /** Whether a resource exists, also when the filter hides it. */
  has(uid: string): boolean {
    return this.#rows.get(uid)?.gone === false && this.#later?.get(uid)?.row !== null;
  }

  get waiting(): Waiting {
    const gone = this.#gone.size + this.#left.size;
    const count = { added: this.#added.size, gone, moved: this.#moved.size, changed: 0 };
    for (const [uid, { row }] of this.#later ?? []) {
      const was = this.#isInPlace(uid);
      const is = row !== null && this.#matches(row);
      if (was && is) count.changed += 1;
      else if (was) count.gone += 1;
      else if (is) count.added += 1;
    }
    return count;
  }

  /** A resource of a list, in the order of the server. */
  load(resource: Resource): void {
    if (this.#later !== null) {
      this.put(resource);
      return;
    }
    const known = this.#rows.get(resource.metadata.uid);
    // An event that came before the page of a list that is older.
    if (known !== undefined && known.revision >= resource.metadata.revision) return;
    const row = this.#rowOf(resource, 0);
    if (known !== undefined) {
      this.#putRow(row);
      return;
    }
    this.#rows.set(row.uid, row);
    // A list that is read again brings rows between those that are there.
    const last = this.#rows.get(this.#order.at(-1) ?? '');
    const isNext = last === undefined || byPlace(last, row) < 0;
    if (isNext && this.#sort === null && this.#filter === '' && !this.#stale) this.#order.push(row.uid);
    else this.#stale = true;
  }

  /** A resource that was created or changed. A change that is older than the row is ignored, so repeated ones do no harm. */
  put(resource: Resource): void {
    const { uid, revision } = resource.metadata;
    const known = this.#rows.get(uid);
    if (known !== undefined && known.revision >= revision && !known.gone) return;
    const row = this.#rowOf(resource, this.#now());
    if (this.#later !== null) this.#postpone(uid, { revision, row });
    else this.#putRow(row);
  }

  /** A resource that was removed, or does not match any more. */
  remove(uid: string, revision: number): void {
    if (this.#later !== null) {
      this.#postpone(uid, { revision, row: null });
      return;
    }
    const known = this.#rows.get(uid);
    if (known === undefined || known.revision > revision) return;
    if (!this.#isInPlace(uid)) {
      this.#added.delete(uid);
      this.#rows.delete(uid);
      return;
    }
    this.#moved.delete(uid);
    this.#left.delete(uid);
    this.#rows.set(uid, { ...known, gone: true, changedAt: this.#now() });
    this.#gone.add(uid);
    this.#stale = true;
  }

  /** A new list follows. It may be earlier than what is known, after a restore or a failover of the platform. */
  restart(): void {
    for (const [uid, row] of this.#rows) this.#rows.set(uid, { ...row, revision: 0 });
    for (const [uid, { row }] of this.#later ?? []) this.#later?.set(uid, { revision: 0, row });
  }

  /** Forgets every resource that a new list did not have. */
  retain(uids: ReadonlySet<string>): void {
    for (const { uid, revision } of [...this.#rows.values()]) if (!uids.has(uid)) this.remove(uid, revision);
    // Among these are resources that were created while the table was frozen.
    for (const [uid, { revision }] of this.#later ?? []) if (!uids.has(uid)) this.remove(uid, revision);
  }

  hold(held: boolean): void {
    this.#held = held;
  }

  /** Keeps the rows as they are until the end of it, or until {@link apply}. */
  freeze(frozen: boolean): void {
    if (frozen) this.#later ??= new Map();
    else {
      this.#catchUp();
      this.#later = null;
    }
  }

  sortBy(sort: Sort): void {
    this.#sort = sort;
    this.#arrange();
  }

  /** Shows only rows whose name, ancestors or cells contain the text. */
  filterBy(text: string): void {
    this.#filter = text.trim().toLowerCase();
    this.#arrange();
  }

  /** Brings the order up to date unless the table is held. True when it changed. */
  settle(): boolean {
    if (this.#held || !this.#stale) return false;
    this.#arrange();
    return true;
  }

  /** Brings the rows and their order up to date now. */
  apply(): void {
    this.#catchUp();
    this.#arrange();
  }

  #arrange(): void {
    for (const uid of this.#gone) this.#rows.delete(uid);
    this.#added = new Set();
    this.#gone = new Set();
    this.#moved = new Set();
    this.#left = new Set();
    this.#stale = false;
    const rows = [...this.#rows.values()];
    const shown = this.#filter === '' ? rows : rows.filter((row) => this.#matches(row));
    this.#order = shown.sort(comparator(this.#sort)).map(({ uid }) => uid);
  }

  /** The place of a row, or -1 for one that the table does not show. */
  indexOf(uid: string): number {
    return this.#order.indexOf(uid);
  }

  window(from: number, to: number): readonly Row[] {
    return this.#order.slice(from, to).flatMap((uid) => this.#rows.get(uid) ?? []);
  }

  clear(): void {
    this.#rows.clear();
    this.#later?.clear();
    this.#arrange();
  }

  #postpone(uid: string, change: Later): void {
    const earlier = this.#later?.get(uid);
    if (earlier === undefined || earlier.revision <= change.revision) this.#later?.set(uid, change);
  }

  #catchUp(): void {
    const later = this.#later;
    if (later === null) return;
    this.#later = null;
    for (const [uid, { revision, row }] of later) {
      if (row === null) this.remove(uid, revision);
      else this.#putRow(row);
    }
    this.#later = new Map();
  }

  #putRow(row: Row): void {
    const { uid } = row;
    const known = this.#rows.get(uid);
    const inPlace = this.#isInPlace(uid);
    const fits = this.#matches(row);
    const moves = inPlace && fits && known !== undefined && this.#isMove(known, row);
    this.#rows.set(uid, row);
    for (const set of [this.#gone, this.#left, this.#added]) set.delete(uid);
    if (!inPlace && fits) this.#added.add(uid);
    if (inPlace && !fits) {
      this.#moved.delete(uid);
      this.#left.add(uid);
    }
    if (moves) this.#moved.add(uid);
    if (moves || inPlace !== fits) this.#stale = true;
  }

  /** Whether a row is where the screen shows it, or would show it if it scrolled there. */
  #isInPlace(uid: string): boolean {
    const row = this.#rows.get(uid);
    if (row === undefined || this.#added.has(uid)) return false;
    return this.#left.has(uid) || this.#matches(row);
  }

  #matches(row: Row): boolean {
    return this.#filter === '' || hasText(row, this.#filter);
  }

  #isMove(before: Row, after: Row): boolean {
    return this.#sort !== null && comparator(this.#sort)(before, after) !== 0;
  }

  #rowOf(resource: Resource, changedAt: number): Row {
    const { uid, revision, name, ancestors, labels, annotations, creationTimestamp, deletionTimestamp } =
      resource.metadata;
    return {
      uid,
      revision,
      name,
      ancestors,
      labels,
      createdAt: creationTimestamp,
      deletedAt: deletionTimestamp ?? null,
      protected: annotations[protectionAnnotation] === 'true',
      cells: this.#read(resource),
      changedAt,
      gone: false,
    };
  }
}
