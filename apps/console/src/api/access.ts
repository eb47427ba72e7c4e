import { useQuery } from '@tanstack/react-query';
import { write } from './change.ts';

/** A verb on a path, to ask whether the caller may use it. */
export interface Question {
  readonly verb: string;
  readonly path: string;
}

/** Whether the caller may use a verb, on a path if it is given; undefined until it is known. */
export type May = (verb: string, path?: string) => boolean | undefined;

/** Asks about everything that a page offers in one request. When that fails, the server decides about the request itself. */
export function useAccess(questions: readonly Question[]): May {
  const check = useQuery({
    queryKey: ['may', questions],
    queryFn: ({ signal }) =>
      write<{ results: readonly { readonly allowed: boolean }[] }>('/api/v1/access/check', {
        method: 'POST',
        body: { checks: questions },
        signal,
      }),
    enabled: questions.length > 0,
    retry: false,
    staleTime: 30_000,
  });
  return (verb, path) => {
    const at = questions.findIndex((one) => one.verb === verb && (path === undefined || one.path === path));
    if (check.isError) return true;
    return check.data?.results[at]?.allowed;
  };
}
