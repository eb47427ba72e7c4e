import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { write } from '../api/change.ts';
import { RequestError } from '../api/http.ts';
import { ConflictPanel } from '../editor/conflict-panel.tsx';
import { isStale } from '../editor/save.ts';
import { useGuardedClose } from '../editor/use-leave-warning.ts';
import { announce } from '../ui/announcer.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { WriteFailure } from '../ui/write-failure.tsx';
import { Challenges } from './challenges.tsx';
import { isComplete } from './fields.ts';
import { FormFields } from './form-fields.tsx';
import { nounOf, type TypedKind } from './kind.ts';
import { refreshTenants } from './refresh.ts';
import { useTypedDraft } from './use-typed-draft.ts';

/** Changes a typed resource, and only the version that is shown: what others change meanwhile is merged in, or asked about. */
export function EditDialog<T>({
  kind,
  path,
  name,
  project = '',
  onClose,
}: {
  readonly kind: TypedKind<T>;
  readonly path: string;
  readonly name: string;
  readonly project?: string;
  readonly onClose: () => void;
}) {
  const { draft, error, edit, follow, resolve } = useTypedDraft(kind, path);
  const [moved, setMoved] = useState(false);
  const queries = useQueryClient();
  const { close, done } = useGuardedClose(draft !== null && draft.mine !== draft.base, onClose);
  const fields = kind.editFields ?? [];
  const noun = nounOf(kind);
  const save = useMutation({
    mutationFn: async () => {
      if (draft === null) return;
      const body = (await kind.prepare?.(draft.mine, project)) ?? draft.mine;
      const put = (etag: string) =>
        write<T>(path, {
          method: 'PUT',
          body: kind.atRevision?.(body, revisionOf(etag)) ?? body,
          headers: { 'If-Match': etag },
        });
      try {
        await put(draft.etag);
      } catch (refused) {
        if (!isStale(refused)) throw refused;
        const now = await follow();
        // Something that the form does not show was written, such as a rotated secret: nobody need look at that.
        if (now?.isSame !== true) return 'moved';
        await put(now.draft.etag);
      }
      return 'saved';
    },
    onSuccess: (outcome) => {
      setMoved(outcome === 'moved');
      if (outcome !== 'saved') return;
      announce(`The ${noun} ${name} is saved`);
      refreshTenants(queries);
      done();
    },
  });
  const refusal = save.error instanceof RequestError ? save.error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog title={`Edit ${noun} ${name}`} onClose={close}>
      {error === null ? null : <Failure error={error} what={`get this ${noun}`} />}
      {draft === null ? (
        error === null ? (
          <Loading rows={6} />
        ) : null
      ) : (
        <form className="stack" onSubmit={submit} noValidate>
          {draft.conflicts.length > 0 ? (
            <ConflictPanel conflicts={draft.conflicts} onResolve={resolve} />
          ) : moved ? (
            <p className="banner" data-tone="info" role="status">
              Somebody changed this {noun} meanwhile. Their changes are merged in below; look at them, then
              save again.
            </p>
          ) : null}
          <FormFields fields={fields} body={draft.mine} error={refusal} onChange={edit} />
          <WriteFailure error={save.error} />
          <Challenges error={refusal} />
          <div className="dialog-actions">
            <button type="button" className="button" onClick={close}>
              Cancel
            </button>
            <button
              type="submit"
              className="button primary"
              disabled={
                save.isPending ||
                draft.conflicts.length > 0 ||
                draft.mine === draft.base ||
                !isComplete(draft.mine, fields)
              }
            >
              Save
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** The revision of an `ETag`, which is `"<uid>.<revision>"`. */
function revisionOf(etag: string): number {
  return Number(/(\d+)"$/.exec(etag)?.[1]);
}
