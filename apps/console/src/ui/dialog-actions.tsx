import type { ComponentProps } from 'react';
import { ActionButton } from './action-button.tsx';

/** The end of a dialog: Cancel, and a button for the action. Before a dangerous action the safe choice has the focus. */
export function DialogActions({
  isDangerous = false,
  onCancel,
  ...action
}: Omit<ComponentProps<typeof ActionButton>, 'className'> & {
  readonly isDangerous?: boolean;
  readonly onCancel: () => void;
}) {
  return (
    <div className="dialog-actions">
      {/* biome-ignore lint/a11y/noAutofocus: the safe choice has the focus */}
      <button type="button" className="button" onClick={onCancel} autoFocus={isDangerous}>
        Cancel
      </button>
      <ActionButton {...action} className={isDangerous ? 'button danger' : 'button primary'} />
    </div>
  );
}
