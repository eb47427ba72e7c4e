import {
  type JsonText,
  type JsonValue,
  type PrinterColumn,
  parseValue,
  renderValue,
  stringOf,
} from '@platform/resources';
import type { TableColumn } from '../model/kind.ts';
import { ageOf, columnPath, firstAt, valuesAt } from './column-value.ts';

/** A column of a table. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  /** The cell of an object; null without a value. */
  readonly cell: (object: JsonValue, now: number) => JsonText | null;
}

const namePath = columnPath('.metadata.name');

const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object.',
  priority: 0,
  cell: (object) => renderValue(firstAt(object, namePath) ?? 'null'),
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
    const definitions = this.#columns.map(({ cell, ...column }) => column);
    const columns = withColumns ? JSON.stringify(definitions) : '[]';
    return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${JSON.stringify(metadata)},"columnDefinitions":${columns},"rows":[${rows.join(',')}]}`;
  }

  /** The row of an object. `metadata` is its PartialObjectMetadata. */
  row(object: JsonText, partial: () => JsonText, now: number): JsonText {
    const value = parseValue(object);
    const cells = this.#columns.map(({ cell }) => cell(value, now) ?? 'null');
    const included =
      this.#include === 'None' ? '' : `,"object":${this.#include === 'Object' ? object : partial()}`;
    return `{"cells":[${cells.join(',')}]${included}}`;
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
    cell: (object) => String(counts.reduce((sum, path) => sum + membersAt(object, path), 0)),
  };
}

function membersAt(object: JsonValue, path: string): number {
  const found = firstAt(object, columnPath(path));
  return found instanceof Map ? found.size : 0;
}

function printerColumn(column: PrinterColumn): Column {
  const { name, type, format = '', description = '', priority = 0, jsonPath } = column;
  const path = columnPath(jsonPath);
  return {
    name,
    type,
    format,
    description,
    priority,
    cell(object, now) {
      const first = firstAt(object, path);
      if (first === undefined) return null;
      return type === 'string' ? textCell(valuesAt(object, path)) : cellOf(type, first, now);
    },
  };
}

/** Characters of the text of a cell, before it is cut. */
const maxText = 4_096;

/**
 * The texts that a path finds, joined as in Kubernetes. Attack: dozens of columns whose path leads to all of a list of a hundred thousand
 * items, and every row of a page as long as all of them.
 */
function textCell(values: Iterable<JsonValue>): JsonText {
  const texts: string[] = [];
  let room = maxText;
  for (const value of values) {
    const isTooLong = typeof value !== 'string' && roomAfter(value, room) < 0;
    const text = isTooLong ? '...' : (stringOf(value) ?? renderValue(value));
    texts.push(text.length > room ? `${text.slice(0, room)}...` : text);
    room -= text.length + 1;
    if (isTooLong || room <= 0) break;
  }
  return JSON.stringify(texts.join(','));
}

/** The characters that a value leaves of the room; below 0 when there are too few, and then the rest is not read. */
function roomAfter(value: JsonValue, room: number): number {
  if (typeof value === 'string') return room - value.length;
  let left = room - 2;
  for (const [key, member] of value.entries()) {
    if (left < 0) break;
    left = roomAfter(member, left - String(key).length - 1);
  }
  return left;
}

/** The cell as Kubernetes makes it of the first value that the path finds: values of another type are left out. */
function cellOf(type: PrinterColumn['type'], first: JsonValue, now: number): JsonText | null {
  switch (type) {
    case 'integer':
      return integerOf(first);
    case 'number':
      return numberOf(first);
    case 'boolean':
      return first === 'true' || first === 'false' ? first : null;
    default:
      return JSON.stringify(ageOf(stringOf(first), now));
  }
}

/** A number with all its digits; null for anything else, and for one that no client can read. */
function numberOf(value: JsonValue): JsonText | null {
  const isNumber = typeof value === 'string' && /^[-\d]/.test(value) && Number.isFinite(Number(value));
  return isNumber ? value : null;
}

function integerOf(value: JsonValue): JsonText | null {
  const number = numberOf(value);
  return number !== null && /[.eE]/.test(number) ? String(Math.trunc(Number(number))) : number;
}
