import type { Kind } from '../../api/kinds.ts';
import type { Column } from '../../logic/columns.ts';

export interface ColumnLayout {
  readonly names: readonly string[];
  /** For `grid-template-columns`. */
  readonly template: string;
  readonly ancestors: readonly Kind[];
}

/** Name, ancestors, columns of the definition, labels, age, state: the widths of a table. */
export function columnLayout(columns: readonly Column[], ancestors: readonly Kind[]): ColumnLayout {
  const names = [
    'Name',
    ...ancestors.map(({ kind }) => kind),
    ...columns.map(({ name }) => name),
    'Labels',
    'Age',
    'State',
  ];
  const isNarrow = window.matchMedia('(max-width: 767px)').matches;
  // A phone shows the name, the first column and the age; the rest is on the page of the resource.
  const template = isNarrow
    ? ['minmax(120px, 2fr)', ...(columns.length === 0 ? [] : ['minmax(64px, 1fr)']), '64px'].join(' ')
    : [
        'minmax(180px, 2fr)',
        ...ancestors.map(() => 'minmax(100px, 1fr)'),
        ...columns.map(() => 'minmax(100px, 1fr)'),
        'minmax(140px, 2fr)',
        '80px',
        '120px',
      ].join(' ');
  return { names, template, ancestors };
}
