import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** A secret, for the only time that it can be seen. It lives in this dialog and nowhere else. */
export function SecretDialog({
  title,
  secret,
  children,
  onClose,
}: {
  readonly title: string;
  readonly secret: string;
  /** The purpose of the secret, and until when an older one is valid. */
  readonly children: React.ReactNode;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose} staysOnEscape>
      <p className="banner">This is shown once. Copy it to where it is used before you close this.</p>
      <div className="command">
        <code>{secret}</code>
        <CopyButton text={secret} label="the secret" />
      </div>
      {children}
      <div className="dialog-actions">
        <button type="button" className="button primary" onClick={onClose}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
}
