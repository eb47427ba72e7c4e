import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '../api/http.ts';
import type { Resource } from '../api/resource.ts';
import { useSettled } from '../ui/use-settled.ts';

/** A search waits until the typing rests. */
const restMs = 200;
const mostFound = 20;
/** Shorter texts are in too many names. */
export const fewestLetters = 2;

/** Resources by name or uid, of every kind unless one is given as `Kind.group`. */
export function useFound(typed: string, kind?: string): readonly Resource[] {
  const asked = useSettled(typed, restMs).trim();
  const query = new URLSearchParams({ q: asked, limit: String(mostFound), view: 'metadata' });
  if (kind !== undefined) query.set('kind', kind);
  const found = useQuery({
    queryKey: ['search', asked, kind],
    queryFn: ({ signal }) => request<{ items: Resource[] }>(`/api/v1/search?${query}`, { signal }),
    enabled: asked.length >= fewestLetters,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return typed.trim().length >= fewestLetters ? (found.data?.items ?? []) : [];
}
