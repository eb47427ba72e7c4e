import type { JsonText, PrinterColumn } from '@platform/resources';
import type { TableColumn } from '../model/kind.ts';
import { ageOf, valuesAt } from './column-value.ts';

/** A column of a table. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly value: (object: unknown, now: number) => unknown;
}

const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object.',
  priority: 0,
  value: (object) => valuesAt(object, '.metadata.name')[0],
};

const ageColumn = printerColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' });

/** Which part of the objects the rows of a table include. */
export type IncludeObject = 'Object' | 'Metadata' | 'None';

/** Renders rows of one kind. */
export class TableForm {
  readonly #columns: readonly Column[];
  readonly #include: IncludeObject;

  constructor(columns: readonly TableColumn[], include: IncludeObject) {
    this.#columns = [nameColumn, ...(columns.length === 0 ? [ageColumn] : columns.map(columnOf))];
    this.#include = include;
  }

  /** A table of rows, at a version. `metadata` is that of the list. */
  render(rows: readonly JsonText[], metadata: object, withColumns = true): JsonText {
    const definitions = this.#columns.map(({ value, ...column }) => column);
    const columns = withColumns ? JSON.stringify(definitions) : '[]';
    return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${JSON.stringify(metadata)},"columnDefinitions":${columns},"rows":[${rows.join(',')}]}`;
  }

  /** The row of an object. `metadata` is its PartialObjectMetadata. */
  row(object: JsonText, partial: () => JsonText, now: number): JsonText {
    const value: unknown = JSON.parse(object);
    const cells = this.#columns.map((column) => column.value(value, now) ?? null);
    const included =
      this.#include === 'None' ? '' : `,"object":${this.#include === 'Object' ? object : partial()}`;
    return `{"cells":${JSON.stringify(cells)}${included}}`;
  }
}

function columnOf(column: TableColumn): Column {
  if (!('counts' in column)) return printerColumn(column);
  const { name, counts } = column;
  return {
    name,
    type: 'integer',
    format: '',
    description: '',
    priority: 0,
    value: (object) =>
      counts.flatMap((path) => valuesAt(object, path)).flatMap((found) => Object.keys(found ?? {})).length,
  };
}

function printerColumn(column: PrinterColumn): Column {
  const { name, type, format = '', description = '', priority = 0, jsonPath } = column;
  return {
    name,
    type,
    format,
    description,
    priority,
    value(object, now) {
      const values = valuesAt(object, jsonPath);
      if (values.length === 0) return null;
      return cellOf(type, values, now);
    },
  };
}

/** The cell as Kubernetes makes it of what the path finds: texts are joined, and values of another type are left out. */
function cellOf(type: PrinterColumn['type'], values: readonly unknown[], now: number): unknown {
  const [first] = values;
  switch (type) {
    case 'string':
      return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(',');
    case 'integer':
      return typeof first === 'number' ? Math.trunc(first) : null;
    case 'number':
      return typeof first === 'number' ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'date':
      return ageOf(first, now);
  }
}
