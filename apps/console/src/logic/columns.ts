import { parseJsonPath, readJsonPath } from './json-path.ts';

/** A column of a table, as a definition declares it (`additionalPrinterColumns`). */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

/** The value of a cell: as it is shown, and as it is sorted. */
export interface Cell {
  readonly text: string;
  readonly sort: number | string;
  /** A time that is shown as an age. */
  readonly time?: string;
}

const absent: Cell = { text: '', sort: '' };

/** Turns columns into one function that reads the cells of a resource. */
export function cellReader(columns: readonly Column[]): (resource: unknown) => readonly Cell[] {
  const readers = columns.map((column) => {
    const path = parseJsonPath(column.jsonPath);
    return (resource: unknown): Cell => {
      if (path === null) return { text: 'n/a', sort: '' };
      const values = readJsonPath(path, resource).filter((value) => value !== null && value !== undefined);
      return values.length === 0 ? absent : cellOf(values, column.type);
    };
  });
  return (resource) => readers.map((read) => read(resource));
}

function cellOf(values: readonly unknown[], type: string): Cell {
  const [first] = values;
  const text = values.map(textOf).join(', ');
  if (type === 'date' && typeof first === 'string') return { text, sort: first, time: first };
  if ((type === 'integer' || type === 'number') && typeof first === 'number') return { text, sort: first };
  return { text, sort: text.toLowerCase() };
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Compares two cells; numbers before texts, absent ones last. */
export function compareCells(a: Cell, b: Cell): number {
  if (a.sort === b.sort) return 0;
  if (a.sort === '') return 1;
  if (b.sort === '') return -1;
  if (typeof a.sort === 'number' && typeof b.sort === 'number') return a.sort - b.sort;
  return String(a.sort) < String(b.sort) ? -1 : 1;
}
