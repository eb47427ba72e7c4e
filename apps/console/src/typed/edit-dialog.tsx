import type { FormEvent } from 'react';
import { RequestError } from '../api/http.ts';
import { ConflictPanel } from '../editor/conflict-panel.tsx';
import { useGuardedClose } from '../editor/use-leave-warning.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { WriteFailure } from '../ui/write-failure.tsx';
import { Challenges } from './challenges.tsx';
import { isComplete } from './fields.ts';
import { FormFields } from './form-fields.tsx';
import { nounOf, type TypedKind } from './kind.ts';
import { useTypedDraft } from './use-typed-draft.ts';
import { type Remark, useTypedSave } from './use-typed-save.ts';

interface EditProps<T> {
  readonly kind: TypedKind<T>;
  readonly path: string;
  readonly name: string;
  readonly project?: string;
  readonly onClose: () => void;
}

/** Changes a typed resource, and only the version that is shown: what others change meanwhile is merged in, or asked about. */
export function EditDialog<T>({ kind, path, name, project = '', onClose }: EditProps<T>) {
  const drafting = useTypedDraft(kind, path);
  const { draft, error, edit, resolve } = drafting;
  const { close, done } = useGuardedClose(draft !== null && draft.mine !== draft.base, onClose);
  const { save, remark } = useTypedSave({ kind, path, name, project }, drafting, done);
  const fields = kind.editFields ?? [];
  const noun = nounOf(kind);
  const refusal = save.error instanceof RequestError ? save.error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft !== null) save.mutate(draft);
  };
  return (
    <Dialog title={`Edit ${noun} ${name}`} onClose={close}>
      {error === null ? null : <Failure error={error} what={`get this ${noun}`} />}
      {draft === null && error === null ? <Loading rows={6} /> : null}
      {draft === null ? null : (
        <form className="stack" onSubmit={submit} noValidate>
          {draft.conflicts.length > 0 ? (
            <ConflictPanel conflicts={draft.conflicts} onResolve={resolve} />
          ) : (
            <RemarkBanner remark={remark} noun={noun} />
          )}
          <FormFields fields={fields} body={draft.mine} error={refusal} onChange={edit} />
          <WriteFailure error={save.error} />
          <Challenges error={refusal} />
          <DialogActions
            type="submit"
            onCancel={close}
            isBusy={save.isPending}
            disabled={
              draft.conflicts.length > 0 || draft.mine === draft.base || !isComplete(draft.mine, fields)
            }
          >
            Save
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}

function RemarkBanner({ remark, noun }: { readonly remark: Remark | null; readonly noun: string }) {
  if (remark === null) return null;
  return (
    <p className="banner" data-tone="info" role="status">
      {remark === 'moved'
        ? `Somebody changed this ${noun} meanwhile. Their changes are merged in below; look at them, then save again.`
        : `The ${noun} is saved, without what you typed while it was saved. Save again to keep that, too.`}
    </p>
  );
}
