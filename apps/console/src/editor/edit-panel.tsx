import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isUncertain, RequestError } from '../api/http.ts';
import { announce } from '../ui/announcer.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { WriteFailure } from '../ui/write-failure.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import { DraftEditor, ViewChoice } from './draft-editor.tsx';
import { draftOf } from './draft-text.ts';
import { ReviewPanel } from './review-panel.tsx';
import { isStale, put } from './save.ts';
import type { Schema } from './schema-help.ts';
import { useBeginning } from './use-beginning.ts';
import { useDraft } from './use-draft.ts';
import { useLeaveWarning } from './use-leave-warning.ts';

/** Writers that change nothing of the draft may be faster than a save; so often it is tried on top of them. */
const mostRetries = 5;
/** A resource keeps its name. */
const locked = ['/metadata/name'];

/** Edits a stored resource: draft, review by a dry run, save; others may write meanwhile. */
export function EditPanel({
  path,
  liveRevision,
  schema,
  beginning,
  mayUpdate,
  label,
}: {
  readonly path: string;
  readonly liveRevision: number;
  readonly schema: Schema;
  /** An earlier revision that the draft begins with. */
  readonly beginning: string | null;
  /** Undefined while it is asked. */
  readonly mayUpdate: boolean | undefined;
  readonly label: string;
}) {
  const { draft, error, retry, edit, reset, saved, resolve, refresh } = useDraft(path, liveRevision);
  const [checked, setChecked] = useState<{ readonly text: string; readonly result: string } | null>(null);
  const isDirty = draft !== null && draft.mine !== draft.base;
  useLeaveWarning(isDirty);
  const unread = useBeginning(draft === null ? null : beginning, edit);
  const onTop = async (write: (text: string, revision: number) => Promise<string>): Promise<string> => {
    if (draft === null) return '';
    for (let revision = draft.revision, tries = 0; ; tries += 1) {
      try {
        return await write(draft.mine, revision);
      } catch (refused) {
        const now = isStale(refused) ? await refresh() : null;
        // Only when nobody changed what the draft shows: everything else is for the user to see first.
        if (now === null || now.text !== draft.base || tries >= mostRetries) throw refused;
        revision = now.revision;
      }
    }
  };
  const review = useMutation({
    mutationFn: () => onTop((text, revision) => put(path, text, revision, { dryRun: true })),
    onSuccess: (result) => setChecked({ text: draft?.mine ?? '', result }),
    onError: () => setChecked(null),
  });
  const save = useMutation({
    mutationFn: (reason: string) =>
      onTop((text, revision) => put(path, text, revision, { dryRun: false, reason })),
    onSuccess: async () => {
      setChecked(null);
      review.reset();
      await saved();
      announce('Saved');
    },
    // The stored state shows whether it was saved. The console never sends it again by itself.
    onError: async (refused) => {
      if (!isUncertain(refused) || checked === null) return;
      const now = await refresh().catch(() => null);
      if (now?.text !== draftOf(checked.result)) return;
      setChecked(null);
      review.reset();
      save.reset();
      await saved();
      announce('Saved');
    },
  });
  if (draft === null) {
    return error === null ? (
      <Loading rows={8} />
    ) : (
      <Failure error={error} what="get this resource" retry={retry} />
    );
  }
  const startReview = () => {
    if (isDirty && mayUpdate !== false && draft.conflicts.length === 0) review.mutate();
  };
  return (
    <div className="stack">
      <div className="toolbar">
        <ViewChoice />
        <button
          type="button"
          className="button primary"
          disabled={!isDirty || mayUpdate === false || draft.conflicts.length > 0 || review.isPending}
          onClick={startReview}
        >
          Review
        </button>
        <button type="button" className="button" disabled={!isDirty} onClick={reset}>
          Discard
        </button>
        <span className="muted" role="status">
          Revision {draft.revision}
          {isDirty ? ', changed' : ''}
          {draft.taken === 0
            ? ''
            : `, ${draft.taken === 1 ? 'a change' : `${draft.taken} changes`} of others merged in`}
        </span>
      </div>
      {mayUpdate === false ? (
        <p className="banner" data-tone="info">
          You may read and copy this text, not change it: that needs the verb update.
        </p>
      ) : null}
      <WriteFailure error={unread} />
      {/* The changes of others cannot be read; the draft stays, and the shell says when nothing can be reached or the session has ended. */}
      {error instanceof RequestError && error.status >= 403 ? (
        <Failure error={error} what="get this resource" retry={retry} />
      ) : null}
      {draft.conflicts.length === 0 ? null : (
        <ConflictPanel conflicts={draft.conflicts} onResolve={resolve} />
      )}
      <DraftEditor
        label={label}
        text={draft.mine}
        schema={schema}
        error={review.error}
        locked={locked}
        isReadOnly={mayUpdate === false}
        onChange={edit}
        onReview={startReview}
      />
      <WriteFailure error={review.error ?? save.error} isDryRun={review.error !== null} />
      {checked !== null && checked.text === draft.mine ? (
        <ReviewPanel
          before={draft.base}
          result={checked.result}
          isSaving={save.isPending}
          onSave={(reason) => save.mutate(reason)}
        />
      ) : null}
    </div>
  );
}
