import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { send } from '../api/http.ts';
import { draftOf, faultsOf } from './draft-text.ts';
import { type Conflict, mergeTexts, takeLive } from './merge.ts';

/** A text that is edited, the revision that it is based on, and what others did meanwhile. */
interface Draft {
  readonly revision: number;
  readonly base: string;
  readonly mine: string;
  readonly conflicts: readonly Conflict[];
  /** Changes of others that were taken over, to be looked at before the next save. */
  readonly taken: number;
}

/** A pause of so long ends typing. */
const restMs = 1_000;

/** The state of a revision on the server, as a draft. */
async function readDraft(path: string, signal?: AbortSignal): Promise<{ text: string; revision: number }> {
  const response = await send(path, { accept: 'application/yaml', signal });
  const yaml = await response.text();
  const [, revision = '0'] = /^"[^."]*\.(\d+)"$/.exec(response.headers.get('ETag') ?? '') ?? [];
  return { text: draftOf(yaml), revision: Number(revision) };
}

/** Keeps a draft next to a resource that others change, too. `liveRevision` is the newest that is known. */
export function useDraft(path: string, liveRevision: number) {
  const live = useQuery({
    queryKey: ['draft', path, liveRevision],
    queryFn: ({ signal }) => readDraft(path, signal),
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [draft, setDraft] = useState<Draft | null>(null);
  const current = live.data;
  const mine = draft?.mine;
  const isTyping = useTyping(mine);
  // Text that cannot be parsed cannot be merged: changes of others wait until it can, and until nobody types in it.
  const canMerge = useMemo(
    () => mine === undefined || (!isTyping && faultsOf(mine).length === 0),
    [mine, isTyping],
  );
  if (current !== undefined && (draft === null || (canMerge && current.revision > draft.revision))) {
    // While React renders: the next render has the state already, so nothing is shown in between.
    setDraft(draft === null ? begin(current) : follow(draft, current));
  }

  const edit = useCallback((mine: string) => setDraft((before) => before && { ...before, mine }), []);
  const reset = useCallback(
    () => setDraft((before) => before && { ...before, mine: before.base, conflicts: [], taken: 0 }),
    [],
  );
  const saved = useCallback(async () => setDraft(begin(await readDraft(path))), [path]);
  /** Ends a conflict: with mine as it is, or with the value of live. */
  const resolve = useCallback((conflict: Conflict, side: 'mine' | 'live') => {
    setDraft((before) => {
      if (before === null) return before;
      const conflicts = before.conflicts.filter((one) => one !== conflict);
      const mine = side === 'mine' ? before.mine : takeLive(before.mine, before.base, conflict.path);
      return { ...before, mine, conflicts };
    });
  }, []);
  const refresh = useCallback(async () => {
    const now = await readDraft(path);
    setDraft((before) => (before === null ? begin(now) : follow(before, now)));
    return now;
  }, [path]);
  return { draft, error: live.error, retry: () => void live.refetch(), edit, reset, saved, resolve, refresh };
}

/** Whether the text has changed a moment ago. */
function useTyping(text: string | undefined): boolean {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled !== text;
}

function begin({ text, revision }: { text: string; revision: number }): Draft {
  return { revision, base: text, mine: text, conflicts: [], taken: 0 };
}

/** Moves a draft onto what the server has now. Nothing of mine is ever replaced. */
function follow(draft: Draft, { text, revision }: { text: string; revision: number }): Draft {
  // Only the status or something else that nobody edits has changed.
  if (text === draft.base) return { ...draft, revision };
  if (draft.mine === draft.base) return begin({ text, revision });
  if (faultsOf(draft.mine).length > 0) return draft;
  const merge = mergeTexts(draft.base, draft.mine, text);
  return {
    revision,
    base: text,
    mine: merge.text,
    conflicts: merge.conflicts,
    taken: draft.taken + merge.taken,
  };
}
