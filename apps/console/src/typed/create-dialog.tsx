import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { write } from '../api/change.ts';
import { RequestError } from '../api/http.ts';
import { useGuardedClose } from '../editor/use-leave-warning.ts';
import { announce } from '../ui/announcer.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { WriteFailure } from '../ui/write-failure.tsx';
import { Challenges } from './challenges.tsx';
import { type Body, isComplete } from './fields.ts';
import { FormFields } from './form-fields.tsx';
import { nounOf, type TypedKind } from './kind.ts';
import { refreshTenants } from './use-item.ts';

/** Creates a typed resource. The input stays until the server has accepted all of it or the dialog is closed. */
export function CreateDialog<T>({
  kind,
  path,
  project = '',
  onCreated,
  onClose,
}: {
  readonly kind: TypedKind<T>;
  /** The collection. */
  readonly path: string;
  readonly project?: string;
  readonly onCreated: (item: T) => void;
  readonly onClose: () => void;
}) {
  const [body, setBody] = useState(kind.initial);
  const latest = useRef(body);
  latest.current = body;
  /** Created while somebody typed on. */
  const [created, setCreated] = useState<T | null>(null);
  const queries = useQueryClient();
  const { close, done } = useGuardedClose(body !== kind.initial, onClose);
  const noun = nounOf(kind);
  const create = useMutation({
    mutationFn: async (sent: Body) => {
      const prepared = (await kind.prepare?.(sent, project)) ?? sent;
      return write<T>(path, { method: 'POST', body: prepared });
    },
    onSuccess: (item, sent) => {
      announce(`The ${noun} is created`);
      refreshTenants(queries);
      if (latest.current === sent) goOn(item);
      else setCreated(item);
    },
    // The answer may contain a secret, which is shown once and kept nowhere.
    gcTime: 0,
  });
  const goOn = (item: T) => {
    done();
    onCreated(item);
  };
  const error = create.error instanceof RequestError ? create.error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(body);
  };
  return (
    <Dialog title={`New ${noun}`} onClose={created === null ? close : () => goOn(created)}>
      <form className="stack" onSubmit={submit} noValidate>
        <FormFields fields={kind.fields} body={body} error={error} onChange={setBody} />
        <WriteFailure error={create.error} />
        <Challenges error={error} />
        {created === null ? (
          <DialogActions
            type="submit"
            onCancel={close}
            isBusy={create.isPending}
            disabled={!isComplete(body, kind.fields)}
          >
            Create the {noun}
          </DialogActions>
        ) : (
          <CreatedBefore noun={noun} onGoOn={() => goOn(created)} />
        )}
      </form>
    </Dialog>
  );
}

/** The answer came while somebody typed on: the input stays to be copied. */
function CreatedBefore({ noun, onGoOn }: { readonly noun: string; readonly onGoOn: () => void }) {
  return (
    <>
      <p className="banner" data-tone="info" role="status">
        The {noun} is created, without what you typed while it was created. Copy what you need before you go
        on.
      </p>
      <div className="dialog-actions">
        <button type="button" className="button primary" onClick={onGoOn}>
          Go on
        </button>
      </div>
    </>
  );
}
