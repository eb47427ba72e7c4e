import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { send } from '../api/http.ts';
import { announce } from '../ui/announcer.tsx';
import { ConfirmDeletion } from '../ui/confirm-deletion.tsx';
import type { TypedItem } from './kind.ts';
import { refreshTenants } from './use-item.ts';

/** Says what a deletion does, then deletes the version that the page has shown. */
export function DeleteDialog({
  noun,
  item,
  path,
  isBlocked = false,
  needsName = false,
  onDeleted,
  onClose,
  children,
}: {
  readonly noun: string;
  readonly item: TypedItem;
  readonly path: string;
  /** Something has to go first, or it is not known yet what else is deleted. */
  readonly isBlocked?: boolean;
  readonly needsName?: boolean;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
  /** The consequences of the deletion. */
  readonly children: ReactNode;
}) {
  const queries = useQueryClient();
  const deletion = useMutation({
    mutationFn: () =>
      send(path, { method: 'DELETE', headers: { 'If-Match': `"${item.uid}.${item.revision}"` } }),
    onSuccess: () => {
      announce(`The ${noun} ${item.name} is deleted`);
      onClose();
      onDeleted();
      refreshTenants(queries);
    },
    // The page shows what it is now, so that the next try deletes what was seen.
    onError: () => refreshTenants(queries),
  });
  return (
    <ConfirmDeletion
      title={`Delete ${noun} ${item.name}?`}
      confirm={needsName ? item.name : null}
      isBlocked={isBlocked}
      isPending={deletion.isPending}
      error={deletion.error}
      onDelete={() => deletion.mutate()}
      onClose={onClose}
    >
      {children}
      <p className="muted">It cannot be restored.</p>
    </ConfirmDeletion>
  );
}
