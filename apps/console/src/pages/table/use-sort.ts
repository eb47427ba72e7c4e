import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Sort } from '../../live/row.ts';
import type { TableColumn } from './layout.ts';

/** The order of a table, which the URL keeps: the name of a column, with `-` before it when it descends. */
export function useSort(all: readonly TableColumn[]): readonly [Sort, (sort: Sort) => void] {
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
