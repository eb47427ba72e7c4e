import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { write } from '../api/change.ts';
import { RequestError } from '../api/http.ts';
import { useGuardedClose } from '../editor/use-leave-warning.ts';
import { announce } from '../ui/announcer.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { WriteFailure } from '../ui/write-failure.tsx';
import { Challenges } from './challenges.tsx';
import { isComplete } from './fields.ts';
import { FormFields } from './form-fields.tsx';
import { nounOf, type TypedKind } from './kind.ts';
import { refreshTenants } from './refresh.ts';

/** Creates a typed resource. The input stays until the server has accepted it or the dialog is closed. */
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
  const queries = useQueryClient();
  const { close, done } = useGuardedClose(body !== kind.initial, onClose);
  const noun = nounOf(kind);
  const create = useMutation({
    mutationFn: async () => {
      const prepared = (await kind.prepare?.(body, project)) ?? body;
      return write<T>(path, { method: 'POST', body: prepared });
    },
    onSuccess: (item) => {
      announce(`The ${noun} is created`);
      refreshTenants(queries);
      done();
      onCreated(item);
    },
    // The answer may contain a secret, which is shown once and kept nowhere.
    gcTime: 0,
  });
  const error = create.error instanceof RequestError ? create.error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Dialog title={`New ${noun}`} onClose={close}>
      <form className="stack" onSubmit={submit} noValidate>
        <FormFields fields={kind.fields} body={body} error={error} onChange={setBody} />
        <WriteFailure error={create.error} />
        <Challenges error={error} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            className="button primary"
            disabled={create.isPending || !isComplete(body, kind.fields)}
          >
            Create the {noun}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
