import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { Kind } from '../../api/kinds.ts';
import { type CollectionPlace, collectionPath } from '../../api/resource.ts';
import type { Row, Sort } from '../../live/row.ts';
import { useLiveTable } from '../../live/use-live-table.ts';
import type { Column } from '../../logic/columns.ts';
import { allColumns, shownColumns, type TableColumn } from './layout.ts';

/** The rows of a kind in one place, live, with the filter, the order and the columns that the URL asks for. */
export function useTable(
  { kind, place, ancestors }: { kind: Kind; place: CollectionPlace; ancestors: readonly Kind[] },
  selected: ReadonlyMap<string, Row>,
) {
  const { labels, fields, find = '', cols } = useSearch({ strict: false });
  const declared = useDeclaredColumns(kind, place.version);
  const path = listPath(place, { labels, fields, declared });
  const { state, tell } = useLiveTable(path, declared);
  // Again for each list that is opened: a new one knows nothing of the text in the URL.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they open another list
  useEffect(() => tell({ type: 'filter', text: find }), [find, path, declared, tell]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they open another list
  useEffect(() => tell({ type: 'select', uids: [...selected.keys()] }), [selected, path, declared, tell]);
  const all = useMemo(() => allColumns(declared, ancestors), [declared, ancestors]);
  const columns = useMemo(() => shownColumns(all, cols), [all, cols]);
  const [sort, onSort] = useSort(all);
  // An order of one's own needs every row; a list that is opened again begins without.
  useEffect(() => tell({ type: 'sort', sort: state.complete ? sort : null }), [sort, state.complete, tell]);
  return { path, state, tell, all, columns, sort, onSort };
}

export type Table = ReturnType<typeof useTable>;

/** Compared as text, so that kinds that were read again do not open the same table again. */
function useDeclaredColumns(kind: Kind, version: string): readonly Column[] {
  const declared = JSON.stringify(
    kind.versions.find(({ name }) => name === version)?.additionalPrinterColumns ?? [],
  );
  return useMemo(() => JSON.parse(declared) as readonly Column[], [declared]);
}

/** The path and the query of the list that a table shows. */
function listPath(
  place: CollectionPlace,
  {
    labels,
    fields,
    declared,
  }: {
    readonly labels: string | undefined;
    readonly fields: string | undefined;
    readonly declared: readonly Column[];
  },
): string {
  const query = new URLSearchParams();
  if (labels !== undefined) query.set('labelSelector', labels);
  if (fields !== undefined) query.set('fieldSelector', fields);
  // Without columns of its own a table needs no more than the metadata.
  if (declared.length === 0) query.set('view', 'metadata');
  return `${collectionPath(place)}${query.size === 0 ? '' : `?${query}`}`;
}

/** The order of a table, which the URL keeps: the name of a column, with `-` before it when it descends. */
function useSort(all: readonly TableColumn[]): readonly [Sort, (sort: Sort) => void] {
  const { sort: named = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const sort = useMemo((): Sort => {
    const descending = named.startsWith('-');
    const name = descending ? named.slice(1) : named;
    const column = all.find((one) => one.sort !== null && one.name === name)?.sort ?? null;
    return column === null ? null : { column, descending };
  }, [all, named]);
  const change = (next: Sort) => {
    const name = all.find((one) => one.sort === next?.column)?.name;
    const text = name === undefined ? undefined : `${next?.descending ? '-' : ''}${name}`;
    void navigate({
      to: '.',
      search: (before) => ({ ...before, sort: text }),
      replace: true,
      resetScroll: false,
    });
  };
  return [sort, change];
}
