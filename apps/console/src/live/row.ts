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

/** Whether its name, an ancestor or a cell contains the text, which is in small letters. */
export function hasText({ name, ancestors, cells }: Row, text: string): boolean {
  return (
    name.toLowerCase().includes(text) ||
    ancestors.some((one) => one.toLowerCase().includes(text)) ||
    cells.some((cell) => cell.text.toLowerCase().includes(text))
  );
}

export function comparator(sort: Sort): (a: Row, b: Row) => number {
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
export function byPlace(a: Row, b: Row): number {
  for (let index = 0; index < a.ancestors.length; index += 1) {
    const order = compareText(a.ancestors[index] ?? '', b.ancestors[index] ?? '');
    if (order !== 0) return order;
  }
  return compareText(a.name, b.name);
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
