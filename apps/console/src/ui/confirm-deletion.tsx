import { type ReactNode, useId, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { DialogActions } from './dialog-actions.tsx';
import { ReasonField } from './reason-field.tsx';
import { WriteFailure } from './write-failure.tsx';

/** Says what a deletion does, and asks for a text before a large one. The safe choice has the focus. */
export function ConfirmDeletion({
  title,
  confirm = null,
  action = 'Delete',
  isBlocked,
  isPending,
  error,
  takesReason = false,
  onDelete,
  onClose,
  children,
}: {
  readonly title: string;
  /** The text that the user has to type; null when a button is enough. */
  readonly confirm?: string | null;
  readonly action?: string;
  /** Something has to go first, or it is not known yet what else is deleted. */
  readonly isBlocked: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly takesReason?: boolean;
  readonly onDelete: (reason: string) => void;
  readonly onClose: () => void;
  /** The consequences of the deletion. */
  readonly children: ReactNode;
}) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const remove = () => {
    // When it is refused because something changed, it is asked about again.
    setTyped('');
    onDelete(reason);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {confirm !== null && !isBlocked ? (
        <div className="field">
          <label htmlFor={id}>
            Type <code>{confirm}</code> to confirm
          </label>
          <input
            id={id}
            className="input mono"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
      ) : null}
      {takesReason ? <ReasonField value={reason} onChange={setReason} /> : null}
      <WriteFailure error={error} />
      <DialogActions
        isDangerous
        onCancel={onClose}
        isBusy={isPending}
        disabled={isBlocked || (confirm !== null && typed !== confirm)}
        onClick={remove}
      >
        {action}
      </DialogActions>
    </Dialog>
  );
}
