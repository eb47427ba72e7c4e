import { faultsOf } from './draft-text.ts';
import { type Conflict, mergeTexts, openConflicts, takeLive } from './merge.ts';

/** A text that is edited, the revision that it is based on, and what others did meanwhile. */
export interface Draft {
  readonly path: string;
  readonly revision: number;
  readonly base: string;
  readonly mine: string;
  readonly conflicts: readonly Conflict[];
  /** Changes of others that were taken over, to be looked at before the next save. */
  readonly taken: number;
}

/** The state of a resource on the server, as the text of a draft. */
export interface Stored {
  /** The path by uid: another resource may take the name, and has revisions of its own. */
  readonly path: string;
  readonly text: string;
  readonly revision: number;
}

export function beginDraft({ path, text, revision }: Stored): Draft {
  return { path, revision, base: text, mine: text, conflicts: [], taken: 0 };
}

/** Moves a draft onto what the server has now. Nothing of mine is ever replaced. */
export function followDraft(draft: Draft, stored: Stored): Draft {
  const { path, text, revision } = stored;
  // Only the status or something else that nobody edits has changed.
  if (text === draft.base) return { ...draft, path, revision };
  if (draft.mine === draft.base) return beginDraft(stored);
  if (faultsOf(draft.mine).length > 0) return draft;
  const merge = mergeTexts(draft.base, draft.mine, text);
  return {
    path,
    revision,
    base: text,
    mine: merge.text,
    conflicts: openConflicts(draft.conflicts, merge, text),
    taken: draft.taken + merge.taken,
  };
}

/** Goes on after a save of `sent`: text that was typed since then is a change of the stored one. */
export function savedDraft(draft: Draft, sent: string, stored: Stored): Draft {
  if (draft.mine === sent) return beginDraft(stored);
  return followDraft({ ...draft, base: sent, conflicts: [], taken: 0 }, stored);
}

/** Ends a conflict: with mine as it is, or with the value of live, for which the text must be one that can be parsed. */
export function resolveConflict(draft: Draft, conflict: Conflict, side: 'mine' | 'live'): Draft {
  const conflicts = draft.conflicts.filter((one) => one !== conflict);
  if (side === 'mine') return { ...draft, conflicts };
  if (faultsOf(draft.mine).length > 0) return draft;
  return { ...draft, mine: takeLive(draft.mine, draft.base, conflict.path), conflicts };
}
