import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { parse, stringify } from 'yaml';
import { send } from '../api/http.ts';
import { type Conflict, mergeTexts, takeLive } from '../editor/merge.ts';
import type { Body } from './fields.ts';
import type { TypedKind } from './kind.ts';

/** A body that is edited, the version that it is based on, and what others did meanwhile. */
interface Draft {
  readonly etag: string;
  readonly base: Body;
  readonly mine: Body;
  readonly conflicts: readonly Conflict[];
  /** Changes of others that were taken over since the form was opened. */
  readonly taken: number;
}

interface Read {
  readonly etag: string;
  readonly body: Body;
}

/** Keeps what is typed next to an item that others change, too. Nothing that is typed is ever replaced. */
export function useTypedDraft<T>(kind: TypedKind<T>, path: string) {
  const read = async (signal?: AbortSignal): Promise<Read> => {
    const response = await send(path, { signal });
    return { etag: response.headers.get('ETag') ?? '', body: kind.bodyOf((await response.json()) as T) };
  };
  const first = useQuery({
    queryKey: ['typed-draft', path],
    queryFn: ({ signal }) => read(signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [changed, setDraft] = useState<Draft | null>(null);
  const draft = changed ?? (first.data === undefined ? null : begin(first.data));
  return {
    draft,
    error: first.error,
    edit: (mine: Body) => draft && setDraft({ ...draft, mine }),
    /** Moves the draft onto what the server has now. True when there is nothing new to look at before saving again. */
    async follow(): Promise<{ readonly draft: Draft; readonly isSame: boolean } | null> {
      if (draft === null) return null;
      const now = await read();
      const next = merged(draft, now);
      setDraft(next);
      return { draft: next, isSame: textOf(now.body) === textOf(draft.base) };
    },
    resolve(conflict: Conflict, side: 'mine' | 'live') {
      if (draft === null) return;
      const conflicts = draft.conflicts.filter((one) => one !== conflict);
      const mine =
        side === 'mine'
          ? draft.mine
          : (parse(takeLive(stringify(draft.mine), stringify(draft.base), conflict.path)) as Body);
      setDraft({ ...draft, mine, conflicts });
    },
  };
}

function begin({ etag, body }: Read): Draft {
  return { etag, base: body, mine: body, conflicts: [], taken: 0 };
}

/** The three-way merge of the editor, on the text of the bodies. */
export function merged(draft: Draft, { etag, body }: Read): Draft {
  const { text, taken, conflicts } = mergeTexts(textOf(draft.base), textOf(draft.mine), textOf(body));
  return { etag, base: body, mine: parse(text) as Body, conflicts, taken: draft.taken + taken };
}

function textOf(body: Body): string {
  return stringify(body);
}
