import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { send } from '../api/http.ts';
import { draftOf } from './draft-text.ts';

/** Puts another text into a draft once, such as an earlier revision. It is reviewed and saved like any other change. */
export function useBeginning(path: string | null, edit: (text: string) => void): Error | null {
  const done = useRef<string | null>(null);
  const earlier = useQuery({
    queryKey: ['beginning', path],
    queryFn: async ({ signal }) => (await send(path ?? '', { accept: 'application/yaml', signal })).text(),
    enabled: path !== null,
    retry: false,
    gcTime: 0,
  });
  useEffect(() => {
    if (earlier.data === undefined || done.current === path) return;
    done.current = path;
    edit(draftOf(earlier.data));
  }, [earlier.data, path, edit]);
  return earlier.error;
}
