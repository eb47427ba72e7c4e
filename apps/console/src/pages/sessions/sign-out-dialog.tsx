import { visibleText } from '../../logic/visible-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';

/** Ends one session, at once, wherever its program runs. */
export function EndSessionDialog({
  user,
  program,
  isOwn,
  isPending,
  onConfirm,
  onClose,
}: {
  readonly user: string;
  readonly program: string;
  /** Whether it is the session of this page. */
  readonly isOwn: boolean;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`End a session of ${user}?`} onClose={onClose}>
      <p>
        {isOwn
          ? 'This is the session that you use now: you have to log in again.'
          : `${program === '' ? 'Its program' : visibleText(program)} is logged out within a second.`}
      </p>
      <DialogActions isDangerous onCancel={onClose} isBusy={isPending} onClick={onConfirm}>
        End the session
      </DialogActions>
    </Dialog>
  );
}

export interface SignOutQuestion {
  /** A uid or an e-mail address. */
  readonly user: string;
  readonly name: string;
  /** Whether this very session ends, too. */
  readonly own: boolean;
}

/** Ends every session of somebody, in browsers and on the command line, within a second. */
export function SignOutDialog({
  question,
  isPending,
  error,
  onConfirm,
  onClose,
}: {
  readonly question: SignOutQuestion;
  readonly isPending: boolean;
  /** Why it failed: the page is below the dialog. */
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`Sign ${question.name} out everywhere?`} onClose={onClose}>
      <p>
        Every session ends within a second, in browsers and on the command line
        {question.own ? ', also this one. You have to log in again' : ''}.
      </p>
      <WriteFailure error={error} />
      <DialogActions isDangerous onCancel={onClose} isBusy={isPending} onClick={onConfirm}>
        Sign out everywhere
      </DialogActions>
    </Dialog>
  );
}
