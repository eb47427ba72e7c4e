import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { send } from '../api/http.ts';
import { announce } from '../ui/announcer.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { WriteFailure } from '../ui/write-failure.tsx';
import type { TypedItem } from './kind.ts';
import { refreshTenants } from './refresh.ts';

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
  /** Something has to go first, or it is not known yet what goes along. */
  readonly isBlocked?: boolean;
  readonly needsName?: boolean;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
  /** What goes along, and what ends. */
  readonly children: ReactNode;
}) {
  const id = useId();
  const [typed, setTyped] = useState('');
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
    <Dialog title={`Delete ${noun} ${item.name}?`} onClose={onClose}>
      {children}
      <p className="muted">It cannot be restored.</p>
      {needsName && !isBlocked ? (
        <div className="field">
          <label htmlFor={id}>
            Type <code>{item.name}</code> to confirm
          </label>
          <input
            id={id}
            className="input mono"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
      ) : null}
      <WriteFailure error={deletion.error} />
      <div className="dialog-actions">
        {/* biome-ignore lint/a11y/noAutofocus: the safe choice has the focus */}
        <button type="button" className="button" onClick={onClose} autoFocus>
          Cancel
        </button>
        <button
          type="button"
          className="button danger"
          disabled={isBlocked || deletion.isPending || (needsName && typed !== item.name)}
          onClick={() => deletion.mutate()}
        >
          Delete
        </button>
      </div>
    </Dialog>
  );
}
