import { useInfiniteQuery } from '@tanstack/react-query';
import { failureOf, request } from './http.ts';

/** A page of a list that is not one of resources. */
interface ListPage<T> {
  readonly items: readonly T[];
  readonly continue?: string;
}

/** A list in pages: what was read so far, and the way to more. */
export function usePages<T>(path: string) {
  const list = useInfiniteQuery({
    queryKey: ['pages', path],
    queryFn: ({ pageParam, signal }) => {
      const mark = path.includes('?') ? '&' : '?';
      return request<ListPage<T>>(
        pageParam === '' ? path : `${path}${mark}continue=${encodeURIComponent(pageParam)}`,
        { signal },
      );
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.continue,
    staleTime: 0,
  });
  return {
    items: list.data?.pages.flatMap((page) => page.items),
    error: failureOf(list),
    more: list.hasNextPage ? () => void list.fetchNextPage() : null,
    refresh: () => void list.refetch(),
  };
}
