import { RequestError } from '../api/http.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { WriteFailure } from '../ui/write-failure.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import type { Draft } from './draft.ts';
import { DraftEditor, ViewChoice } from './draft-editor.tsx';
import { RemovedMeanwhile } from './removed-meanwhile.tsx';
import { ReviewPanel } from './review-panel.tsx';
import type { Schema } from './schema-help.ts';
import { type Drafting, useBeginning, useDraft } from './use-draft.ts';
import { useLeaveWarning } from './use-leave-warning.ts';
import { type Saving, useSave } from './use-save.ts';

/** A resource keeps its name. */
const locked = ['/metadata/name'];

interface EditProps {
  /** The path of the resource. */
  readonly path: string;
  readonly schema: Schema;
  /** An earlier revision that the draft begins with. */
  readonly beginning: string | null;
  /** Undefined while it is asked. */
  readonly mayUpdate: boolean | undefined;
  readonly label: string;
  /** The resource is gone: its text can only become a new one. */
  readonly isRemoved: boolean;
  /** Undefined while it is asked. */
  readonly mayCreate: boolean | undefined;
  /** Told of the text that becomes a new resource, and of the last one that was stored. */
  readonly onCreate: (text: string, base: string) => void;
  /** Told when a write finds no resource. */
  readonly onMissing: () => void;
}

/** Edits a stored resource: draft, review by a dry run, save; others may write meanwhile. */
export function EditPanel({
  liveRevision,
  ...props
}: EditProps & {
  /** The newest revision that is known. */
  readonly liveRevision: number;
}) {
  const drafting = useDraft(props.path, liveRevision, props.isRemoved);
  const { draft, error, retry } = drafting;
  if (draft !== null) return <DraftPanel {...props} drafting={drafting} draft={draft} />;
  if (error !== null) return <Failure error={error} what="get this resource" retry={retry} />;
  return <Loading rows={8} />;
}

/** An open draft with its actions, its editor, and the review of its text. */
function DraftPanel({
  schema,
  beginning,
  mayUpdate,
  label,
  isRemoved,
  mayCreate,
  onCreate,
  onMissing,
  drafting,
  draft,
}: EditProps & { readonly drafting: Drafting; readonly draft: Draft }) {
  const { edit } = drafting;
  const { checked, review, save, reason, setReason, forget } = useSave(drafting, onMissing);
  const isDirty = draft.mine !== draft.base;
  useLeaveWarning(isDirty);
  const unread = useBeginning(beginning, edit);
  const mayReview = isDirty && mayUpdate !== false && !isRemoved && draft.conflicts.length === 0;
  const fault = faultOf(draft, review, save);
  const startReview = () => {
    if (mayReview && !review.isPending) review.mutate(draft);
  };
  const discard = () => {
    drafting.reset();
    forget();
  };
  return (
    <div className="stack">
      <DraftBar
        draft={draft}
        isDirty={isDirty}
        mayReview={mayReview}
        isReviewing={review.isPending}
        onReview={startReview}
        onDiscard={discard}
      />
      {mayUpdate === false && !isRemoved ? <ReadOnly /> : null}
      <WriteFailure error={unread} />
      {isRemoved ? (
        <RemovedMeanwhile
          isDirty={isDirty}
          mayCreate={mayCreate}
          onCreate={() => onCreate(draft.mine, draft.base)}
        />
      ) : (
        <ChangesOfOthers draft={draft} drafting={drafting} />
      )}
      <DraftEditor
        label={label}
        text={draft.mine}
        basis={`${draft.path} ${draft.revision}`}
        schema={schema}
        error={review.error}
        locked={locked}
        isReadOnly={mayUpdate === false}
        onChange={edit}
        onReview={startReview}
      />
      <WriteFailure error={isRemoved ? null : fault} isDryRun={fault === review.error} />
      {checked !== null && checked.text === draft.mine ? (
        <ReviewPanel
          before={draft.base}
          result={checked.result}
          isSaving={save.isPending}
          isDisabled={isRemoved}
          reason={reason}
          onReason={setReason}
          onSave={() => save.mutate({ draft, result: checked.result })}
        />
      ) : null}
    </div>
  );
}

function ReadOnly() {
  return (
    <p className="banner" data-tone="info">
      You may read and copy this text, not change it: that needs the verb update.
    </p>
  );
}

/** Why the last review or save failed. An answer about a resource that had the name before says nothing about this one. */
function faultOf({ path }: Draft, review: Saving['review'], save: Saving['save']): Error | null {
  if (review.error !== null) return review.variables.path === path ? review.error : null;
  return save.error !== null && save.variables.draft.path === path ? save.error : null;
}

/** The changes of others that cannot be read, or that the user has to choose about. */
function ChangesOfOthers({
  draft: { conflicts },
  drafting: { error, retry, isParsed, resolve },
}: {
  readonly draft: Draft;
  readonly drafting: Drafting;
}) {
  return (
    <>
      {/* The draft stays; the shell says when nothing can be reached or the session has ended. */}
      {error instanceof RequestError && error.status >= 403 ? (
        <Failure error={error} what="get this resource" retry={retry} />
      ) : null}
      {conflicts.length === 0 ? null : (
        <ConflictPanel conflicts={conflicts} isParsed={isParsed} onResolve={resolve} />
      )}
    </>
  );
}

/** The actions on a draft, and how it stands to what is stored. */
function DraftBar({
  draft: { revision, taken },
  isDirty,
  mayReview,
  isReviewing,
  onReview,
  onDiscard,
}: {
  readonly draft: Draft;
  readonly isDirty: boolean;
  readonly mayReview: boolean;
  readonly isReviewing: boolean;
  readonly onReview: () => void;
  readonly onDiscard: () => void;
}) {
  return (
    <div className="toolbar">
      <ViewChoice />
      <ActionButton className="button primary" isBusy={isReviewing} disabled={!mayReview} onClick={onReview}>
        Review
      </ActionButton>
      <button type="button" className="button" disabled={!isDirty} onClick={onDiscard}>
        Discard
      </button>
      <span className="muted" role="status">
        Revision {revision}
        {isDirty ? ', changed' : ''}
        {taken === 0 ? '' : `, ${taken === 1 ? 'a change' : `${taken} changes`} of others merged in`}
      </span>
    </div>
  );
}
