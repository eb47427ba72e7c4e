import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { parse, stringify } from 'yaml';
import { send } from '../api/http.ts';
import { type Conflict, mergeTexts, takeLive } from '../editor/merge.ts';
import type { Body } from './fields.ts';
import type { TypedKind } from './kind.ts';

/** A body that is edited, the version that it is based on, and what others did meanwhile. */
export interface TypedDraft {
  readonly etag: string;
  readonly base: Body;
  readonly mine: Body;
  readonly conflicts: readonly Conflict[];
}

interface Version {
  readonly etag: string;
  readonly body: Body;
}

/** Keeps what is typed next to an item that others change, too. Nothing that is typed is ever replaced. */
export function useTypedDraft<T>(kind: TypedKind<T>, path: string) {
  const versionOf = async (response: Response): Promise<Version> => ({
    etag: response.headers.get('ETag') ?? '',
    body: kind.bodyOf((await response.json()) as T),
  });
  const read = async (signal?: AbortSignal) => versionOf(await send(path, { signal }));
  const first = useQuery({
    queryKey: ['typed-draft', path],
    queryFn: ({ signal }) => read(signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [changed, setDraft] = useState<TypedDraft | null>(null);
  const initial = first.data === undefined ? null : begin(first.data);
  const change = (next: (draft: TypedDraft) => TypedDraft) =>
    setDraft((before) => {
      const draft = before ?? initial;
      return draft && next(draft);
    });
  return {
    draft: changed ?? initial,
    error: first.error,
    edit: (mine: Body) => change((draft) => ({ ...draft, mine })),
    /** Moves the draft onto what the server has now. Tells whether that is what `sent` was based on, with nothing new to look at. */
    async follow(sent: TypedDraft): Promise<{ readonly etag: string; readonly isSame: boolean }> {
      const now = await read();
      change((draft) => merged(draft, now));
      return { etag: now.etag, isSame: textOf(now.body) === textOf(sent.base) };
    },
    /** After a save with this answer: text that was typed meanwhile is a change of the stored version. */
    async saved(answer: Response): Promise<void> {
      const now = await versionOf(answer);
      change(({ mine }) => ({ ...begin(now), mine }));
    },
    resolve: (conflict: Conflict, side: 'mine' | 'live') =>
      change((draft) => {
        const conflicts = draft.conflicts.filter((one) => one !== conflict);
        if (side === 'mine') return { ...draft, conflicts };
        const text = takeLive(textOf(draft.mine), textOf(draft.base), conflict.path);
        return { ...draft, mine: parse(text) as Body, conflicts };
      }),
  };
}

function begin({ etag, body }: Version): TypedDraft {
  return { etag, base: body, mine: body, conflicts: [] };
}

/** The three-way merge of the editor, on the text of the bodies. */
function merged(draft: TypedDraft, { etag, body }: Version): TypedDraft {
  const { text, conflicts } = mergeTexts(textOf(draft.base), textOf(draft.mine), textOf(body));
  return { etag, base: body, mine: parse(text) as Body, conflicts };
}

function textOf(body: Body): string {
  return stringify(body);
}
