import type { Kind } from '../../api/kinds.ts';
import type { Sort } from '../../live/row.ts';
import type { Column } from '../../logic/columns.ts';

/** A column of a table: of the definition, of a parent, or one that every table has. */
export interface TableColumn {
  readonly name: string;
  readonly of: 'name' | 'labels' | 'age' | 'state' | 'ancestor' | 'cell';
  /** The place among the ancestors or the cells. */
  readonly index: number;
  readonly width: string;
  readonly sort: NonNullable<Sort>['column'] | null;
  /** Whether it is shown until somebody chooses. */
  readonly usual: boolean;
  /** Whether phones leave it out. */
  readonly optional: boolean;
}

/** Every column that a table has, in its order. */
export function allColumns(columns: readonly Column[], ancestors: readonly Kind[]): readonly TableColumn[] {
  const fixed = { index: 0, usual: true, sort: null };
  return [
    { ...fixed, name: 'Name', of: 'name', width: 'minmax(180px, 2fr)', sort: 'name', optional: false },
    ...ancestors.map(
      ({ kind }, index): TableColumn => ({
        ...fixed,
        name: kind,
        of: 'ancestor',
        index,
        width: leastOf(kind, '1fr'),
        optional: true,
      }),
    ),
    ...columns.map(
      ({ name, type, priority = 0 }, index): TableColumn => ({
        name,
        of: 'cell',
        index,
        // Texts are longer than numbers, truth values and ages.
        width: leastOf(name, type === 'string' ? '2fr' : '1fr'),
        sort: index,
        usual: priority === 0,
        optional: index > 0,
      }),
    ),
    { ...fixed, name: 'Labels', of: 'labels', width: 'minmax(140px, 2fr)', optional: true },
    { ...fixed, name: 'Age', of: 'age', width: '80px', sort: 'age', optional: false },
    { ...fixed, name: 'State', of: 'state', width: '120px', optional: true },
  ];
}

/** Wide enough for the name of the column with its padding, within reason; in pixels, as the names of columns are bold and cells are not. */
function leastOf(name: string, share: string): string {
  return `minmax(${Math.max(100, 24 + Math.min(name.length, 20) * 9)}px, ${share})`;
}

/** The order after a click on a column: ascending, descending, then that of the server. */
export function nextSort({ sort: column }: TableColumn, sort: Sort): Sort {
  const active = sort !== null && column === sort.column;
  return column === null || (active && sort.descending) ? null : { column, descending: active };
}

/** The columns that a link names, or the usual ones; the name is always there. */
export function shownColumns(
  all: readonly TableColumn[],
  chosen: string | undefined,
): readonly TableColumn[] {
  if (chosen === undefined) return all.filter(({ usual }) => usual);
  const names = new Set(chosen.split(','));
  return all.filter(({ name, of }) => of === 'name' || names.has(name));
}

/** For `grid-template-columns`, with the box that selects a row first. A phone shows a few columns; the rest is on the page of the resource. */
export function templateOf(columns: readonly TableColumn[], isNarrow: boolean): string {
  const shown = isNarrow ? columns.filter(({ optional }) => !optional) : columns;
  const width = (column: TableColumn) =>
    isNarrow ? (column.of === 'name' ? 'minmax(120px, 2fr)' : 'minmax(64px, 1fr)') : column.width;
  return ['36px', ...shown.map(width)].join(' ');
}
