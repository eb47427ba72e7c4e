import { useMutation, useQueryClient } from '@tanstack/react-query';
import { write } from '../../api/change.ts';
import type { Extension } from '../../typed/kinds/extension.ts';
import { SecretDialog } from '../../typed/secret-dialog.tsx';
import { refreshTenants } from '../../typed/use-item.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';

/** A new client secret for the app. The one before stays valid until the next rotation. */
export function RotateSecret({
  extension,
  path,
  onClose,
}: {
  readonly extension: Extension;
  readonly path: string;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const rotation = useMutation({
    mutationFn: () =>
      write<Extension>(`${path}/rotate-secret`, {
        method: 'POST',
        headers: { 'If-Match': `"${extension.uid}.${extension.revision}"` },
      }),
    onSettled: () => refreshTenants(queries),
    gcTime: 0,
  });
  const secret = rotation.data?.client_secret;
  if (secret !== undefined) {
    return (
      <SecretDialog title="New client secret of the app" secret={secret} onClose={onClose}>
        <p>
          The secret before stays valid until the next rotation. Rotate again when no app uses it any more.
        </p>
      </SecretDialog>
    );
  }
  // Only the answer has the secret.
  const close = () => {
    if (!rotation.isPending) onClose();
  };
  return (
    <Dialog title="Rotate the client secret?" onClose={close}>
      <p>
        The app gets a new client secret, which is shown once. The one that it has now stays valid until the
        next rotation; an older one ends at once.
      </p>
      <WriteFailure error={rotation.error} />
      <DialogActions onCancel={close} isBusy={rotation.isPending} onClick={() => rotation.mutate()}>
        Rotate the secret
      </DialogActions>
    </Dialog>
  );
}
