import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { failureOf, request } from '../api/http.ts';
import type { Shown } from '../api/queries.ts';

/** One typed resource. The platform has no watch for these, so a page reads them again after its own changes and when it is shown. */
export function useItem<T>(path: string): Shown<T> {
  const item = useQuery({
    queryKey: ['typed', path],
    queryFn: ({ signal }) => request<T>(path, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  return { data: item.data, error: failureOf(item), refetch: item.refetch };
}

/** Items of a list that are looked through at once; a page says when there were more. */
const most = 1000;

export interface Few<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}

/** The query of the first items of a list. */
export function few<T>(path: string) {
  return queryOptions({
    queryKey: ['typed', path, 'few'],
    queryFn: async ({ signal }): Promise<Few<T>> => {
      const page = await request<{ items: readonly T[]; continue?: string }>(`${path}?limit=${most}`, {
        signal,
      });
      return { items: page.items, more: page.continue !== undefined };
    },
    staleTime: 0,
  });
}

/** The first items of a list, to show what belongs to something. */
export function useFew<T>(path: string) {
  return useQuery(few<T>(path));
}

/** The queries that show tenants: each is read again after a change of one of them. */
const affected = [['typed'], ['pages'], ['organizations'], ['doctor']] as const;

/** Reads everything that shows tenants again. Drafts of open forms stay. */
export function refreshTenants(queries: QueryClient): void {
  for (const queryKey of affected) void queries.invalidateQueries({ queryKey });
}
