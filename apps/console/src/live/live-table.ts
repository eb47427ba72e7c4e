import type { Resource } from '../api/resource.ts';
import { type Cell, compareCells } from '../logic/columns.ts';

/** The parts of a resource that a table keeps. */
export interface Row {
  readonly uid: string;
  readonly revision: number;
  readonly name: string;
  readonly ancestors: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly deletedAt: string | null;
  readonly protected: boolean;
  readonly cells: readonly Cell[];
  /** When it last changed while the table was open; 0 for never. */
  readonly changedAt: number;
  /** Removed, and still in its place until the order may change. */
  readonly gone: boolean;
}

/** `null` is the order of the server: ancestors, then name. */
export type Sort = { readonly column: 'name' | 'age' | number; readonly descending: boolean } | null;

/** Changes of the order that wait until the user lets go of the table. */
export interface Waiting {
  readonly added: number;
  readonly gone: number;
  readonly moved: number;
}

export const protectionAnnotation = 'platform.dev/deletion-protection';

/**
 * The rows of a table and their order. Changes in place apply at once; while `held`, the order stays as it is shown, so that nothing moves
 * under the pointer, and what waits is counted.
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

  get waiting(): Waiting {
    return { added: this.#added.size, gone: this.#gone.size, moved: this.#moved.size };
  }

  /** A resource of a list, in the order of the server. */
  load(resource: Resource): void {
    const known = this.#rows.get(resource.metadata.uid);
    // An event that came before the page of a list that is older.
    if (known !== undefined && known.revision >= resource.metadata.revision) return;
    const row = this.#rowOf(resource, 0);
    this.#rows.set(row.uid, row);
    if (known !== undefined) return;
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
    this.#rows.set(uid, row);
    this.#gone.delete(uid);
    if (known === undefined) this.#added.add(uid);
    else if (!this.#added.has(uid) && this.#isMove(known, row)) this.#moved.add(uid);
    if (known === undefined || this.#isMove(known, row)) this.#stale = true;
  }

  /** A resource that was removed, or does not match any more. */
  remove(uid: string, revision: number): void {
    const known = this.#rows.get(uid);
    if (known === undefined || known.revision > revision) return;
    this.#moved.delete(uid);
    if (this.#added.delete(uid)) {
      this.#rows.delete(uid);
      return;
    }
    this.#rows.set(uid, { ...known, gone: true, changedAt: this.#now() });
    this.#gone.add(uid);
    this.#stale = true;
  }

  /** Forgets every resource that a new list did not have. */
  retain(uids: ReadonlySet<string>): void {
    for (const { uid, revision } of [...this.#rows.values()]) if (!uids.has(uid)) this.remove(uid, revision);
  }

  hold(held: boolean): void {
    this.#held = held;
  }

  sortBy(sort: Sort): void {
    this.#sort = sort;
    this.apply();
  }

  /** Shows only rows whose name, ancestors or cells contain the text. */
  filterBy(text: string): void {
    this.#filter = text.trim().toLowerCase();
    this.apply();
  }

  /** Brings the order up to date unless the table is held. True when it changed. */
  settle(): boolean {
    if (this.#held || !this.#stale) return false;
    this.apply();
    return true;
  }

  /** Brings the order up to date now. */
  apply(): void {
    for (const uid of this.#gone) this.#rows.delete(uid);
    this.#added = new Set();
    this.#gone = new Set();
    this.#moved = new Set();
    this.#stale = false;
    const rows = [...this.#rows.values()];
    const shown = this.#filter === '' ? rows : rows.filter((row) => matches(row, this.#filter));
    this.#order = shown.sort(comparator(this.#sort)).map(({ uid }) => uid);
  }

  window(from: number, to: number): readonly Row[] {
    return this.#order.slice(from, to).flatMap((uid) => this.#rows.get(uid) ?? []);
  }

  clear(): void {
    this.#rows.clear();
    this.apply();
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

function matches({ name, ancestors, cells }: Row, text: string): boolean {
  return (
    name.toLowerCase().includes(text) ||
    ancestors.some((one) => one.toLowerCase().includes(text)) ||
    cells.some((cell) => cell.text.toLowerCase().includes(text))
  );
}

function comparator(sort: Sort): (a: Row, b: Row) => number {
  if (sort === null) return byPlace;
  const { column, descending } = sort;
  const compare =
    column === 'name'
      ? (a: Row, b: Row) => compareText(a.name, b.name)
      : column === 'age'
        ? (a: Row, b: Row) => compareText(a.createdAt, b.createdAt)
        : (a: Row, b: Row) => compareCells(a.cells[column] ?? noCell, b.cells[column] ?? noCell);
  return (a, b) => (descending ? compare(b, a) : compare(a, b)) || byPlace(a, b);
}

const noCell: Cell = { text: '', sort: '' };

/** The order of the server. */
function byPlace(a: Row, b: Row): number {
  for (let index = 0; index < a.ancestors.length; index += 1) {
    const order = compareText(a.ancestors[index] ?? '', b.ancestors[index] ?? '');
    if (order !== 0) return order;
  }
  return compareText(a.name, b.name);
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
