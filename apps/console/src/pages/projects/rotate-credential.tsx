import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { write } from '../../api/change.ts';
import { RequestError } from '../../api/http.ts';
import { type Body, type Field, withValue } from '../../typed/fields.ts';
import { FormFields } from '../../typed/form-fields.tsx';
import { type Deployment, deploymentFields } from '../../typed/kinds/environment.ts';
import { SecretDialog } from '../../typed/secret-dialog.tsx';
import { refreshTenants } from '../../typed/use-item.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { ExactTime } from '../../ui/time.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';

const hour = '3600';
const fields: readonly Field[] = [
  {
    path: '/overlap_seconds',
    label: 'The old one stays valid for',
    type: 'choice',
    required: true,
    options: [
      { value: '0', label: 'no time: it ends at once' },
      { value: hour, label: 'an hour' },
      { value: '86400', label: 'a day' },
      { value: '604800', label: 'a week' },
    ],
    hint: 'Long enough to replace it wherever the deployment runs.',
  },
  ...deploymentFields,
];

/** A new bootstrap credential. The old one overlaps, so that nothing stops while it is replaced. */
export function RotateCredential({
  deployment,
  path,
  onClose,
}: {
  readonly deployment: Deployment;
  readonly path: string;
  readonly onClose: () => void;
}) {
  const [body, setBody] = useState<Body>({ overlap_seconds: hour });
  const queries = useQueryClient();
  const rotation = useMutation({
    mutationFn: () =>
      write<Deployment>(`${path}/rotate-credential`, {
        method: 'POST',
        body: withValue(body, '/overlap_seconds', Number(body['overlap_seconds'])),
        headers: { 'If-Match': `"${deployment.uid}.${deployment.revision}"` },
      }),
    onSettled: () => refreshTenants(queries),
    gcTime: 0,
  });
  const rotated = rotation.data;
  if (rotated?.bootstrap_credential !== undefined) {
    const until = rotated.previous_credential_expires_at;
    return (
      <SecretDialog title="New bootstrap credential" secret={rotated.bootstrap_credential} onClose={onClose}>
        {until === null ? (
          <p>The old one is invalid from now on.</p>
        ) : (
          <p>
            The old one is valid until <ExactTime time={until} />.
          </p>
        )}
      </SecretDialog>
    );
  }
  // Only the answer has the credential.
  const close = () => {
    if (!rotation.isPending) onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotation.mutate();
  };
  return (
    <Dialog title="Rotate the credential?" onClose={close}>
      <form className="stack" onSubmit={submit} noValidate>
        <p>The deployment gets a new bootstrap credential, which is shown once.</p>
        <FormFields
          fields={fields}
          body={body}
          error={rotation.error instanceof RequestError ? rotation.error : null}
          onChange={setBody}
        />
        <WriteFailure error={rotation.error} />
        <DialogActions type="submit" onCancel={close} isBusy={rotation.isPending}>
          Rotate the credential
        </DialogActions>
      </form>
    </Dialog>
  );
}
