import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isUncertain } from '../api/http.ts';
import { announce } from '../ui/announcer.tsx';
import type { Draft } from './draft.ts';
import { draftOf } from './draft-text.ts';
import { isMissing, isStale, put } from './save.ts';
import type { Drafting } from './use-draft.ts';

/** Writers that change nothing of the draft may be faster than a save; so often it is tried on top of them. */
const mostRetries = 5;

/** A text that the server has checked, with its answer. */
interface Checked {
  readonly text: string;
  readonly result: string;
}

/** The writes of a draft, with what was answered to them. */
export type Saving = ReturnType<typeof useSave>;

/** The dry run and the save of a draft. Both belong to the text at their beginning: typing goes on while they are on their way. */
export function useSave({ saved, refresh }: Pick<Drafting, 'saved' | 'refresh'>, onMissing: () => void) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [reason, setReason] = useState('');
  const onTop = async (
    { path, base, mine, revision: first }: Draft,
    options: { readonly dryRun: boolean; readonly reason?: string },
  ): Promise<string> => {
    for (let revision = first, tries = 0; ; tries += 1) {
      try {
        return await put(path, mine, revision, options);
      } catch (refused) {
        const now = isStale(refused) ? await refresh() : null;
        // Only when nobody changed what the draft shows: everything else is for the user to see first.
        if (now === null || now.text !== base || tries >= mostRetries) throw refused;
        revision = now.revision;
      }
    }
  };
  const review = useMutation({
    mutationFn: (draft: Draft) => onTop(draft, { dryRun: true }),
    onMutate: () => save.reset(),
    onSuccess: (result, { mine }) => setChecked({ text: mine, result }),
    onError: (refused) => {
      setChecked(null);
      if (isMissing(refused)) onMissing();
    },
  });
  const finish = async (sent: string) => {
    setChecked(null);
    setReason('');
    review.reset();
    await saved(sent);
    announce('Saved');
  };
  const save = useMutation({
    mutationFn: ({ draft }: { readonly draft: Draft; readonly result: string }) =>
      onTop(draft, { dryRun: false, reason }),
    onSuccess: (_answer, { draft }) => finish(draft.mine),
    // The stored state shows whether it was saved. The console never sends it again by itself.
    onError: async (refused, { draft, result }) => {
      if (isMissing(refused)) onMissing();
      if (!isUncertain(refused)) return;
      const now = await refresh().catch(() => null);
      if (now?.text !== draftOf(result)) return;
      save.reset();
      await finish(draft.mine);
    },
  });
  /** After the draft was discarded: nothing that was answered is about its text any more. */
  const forget = () => {
    setChecked(null);
    setReason('');
    review.reset();
    save.reset();
  };
  return { checked, review, save, reason, setReason, forget };
}
