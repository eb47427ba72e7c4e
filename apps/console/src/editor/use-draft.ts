import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { send } from '../api/http.ts';
import { useSettled } from '../ui/use-settled.ts';
import { beginDraft, type Draft, followDraft, resolveConflict, type Stored, savedDraft } from './draft.ts';
import { draftOf, faultsOf } from './draft-text.ts';
import { yamlOf } from './large-text.ts';
import type { Conflict } from './merge.ts';

/** A pause of so long ends typing. */
const restMs = 1_000;

/** The state of a revision on the server, as a draft. */
async function readDraft(path: string, signal?: AbortSignal): Promise<Stored> {
  const response = await send(path, { accept: 'application/yaml', signal });
  const yaml = await yamlOf(response);
  const [, revision = '0'] = /^"[^."]*\.(\d+)"$/.exec(response.headers.get('ETag') ?? '') ?? [];
  return { path, text: draftOf(yaml), revision: Number(revision) };
}

/** The last state of a resource that was removed, from its history. */
async function readLast(path: string, revision: number, signal: AbortSignal): Promise<Stored> {
  const response = await send(`${path}/history/${revision}`, { accept: 'application/yaml', signal });
  return { path, text: draftOf(await yamlOf(response)), revision };
}

/** A draft with the ways to change it. */
export type Drafting = ReturnType<typeof useDraft>;

/** Keeps a draft next to a resource that others change or remove. `liveRevision` is the newest that is known. */
export function useDraft(path: string, liveRevision: number, isRemoved: boolean) {
  const live = useQuery({
    queryKey: ['draft', path, liveRevision, isRemoved],
    queryFn: ({ signal }) => (isRemoved ? readLast(path, liveRevision, signal) : readDraft(path, signal)),
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [draft, setDraft] = useState<Draft | null>(null);
  const current = live.data;
  const mine = draft?.mine;
  const settled = useSettled(mine, restMs);
  const isTyping = settled !== mine;
  // Not at every key: a large text takes longer to parse than the next key takes to come.
  const isParsed = useMemo(() => settled === undefined || faultsOf(settled).length === 0, [settled]);
  // Text that cannot be parsed cannot be merged: changes of others wait until it can, and until nobody types in it.
  const canMerge = isParsed && !isTyping;
  // While another resource with this name is read, `current` is still the one before.
  const isNew =
    draft !== null &&
    current?.path === path &&
    (current.path !== draft.path || current.revision > draft.revision);
  if (current !== undefined && (draft === null || (canMerge && isNew))) {
    // While React renders: the next render has the state already, so nothing is shown in between.
    setDraft(draft === null ? beginDraft(current) : followDraft(draft, current));
  }

  const change = useCallback(
    (next: (draft: Draft) => Draft) => setDraft((before) => before && next(before)),
    [],
  );
  const edit = useCallback((mine: string) => change((before) => ({ ...before, mine })), [change]);
  const reset = useCallback(
    () => change((before) => ({ ...before, mine: before.base, conflicts: [], taken: 0 })),
    [change],
  );
  const saved = useCallback(
    async (sent: string) => {
      const now = await readDraft(path);
      change((before) => savedDraft(before, sent, now));
    },
    [path, change],
  );
  const resolve = useCallback(
    (conflict: Conflict, side: 'mine' | 'live') =>
      change((before) => resolveConflict(before, conflict, side)),
    [change],
  );
  const refresh = useCallback(async () => {
    const now = await readDraft(path);
    change((before) => followDraft(before, now));
    return now;
  }, [path, change]);
  const retry = () => void live.refetch();
  return { draft, isParsed, error: live.error, retry, edit, reset, saved, resolve, refresh };
}

/** Puts another text into a draft once, such as an earlier revision. It is reviewed and saved like any other change. */
export function useBeginning(path: string | null, edit: (text: string) => void): Error | null {
  const done = useRef<string | null>(null);
  const earlier = useQuery({
    queryKey: ['beginning', path],
    queryFn: async ({ signal }) => yamlOf(await send(path ?? '', { accept: 'application/yaml', signal })),
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
