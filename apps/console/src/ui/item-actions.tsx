import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** The buttons of a page that can be changed and deleted. */
export function ItemActions({
  onEdit = null,
  onDelete,
  children,
}: {
  /** Null when nothing of it can be changed. */
  readonly onEdit?: (() => void) | null;
  readonly onDelete: () => void;
  readonly children?: ReactNode;
}) {
  return (
    <>
      {children}
      {onEdit === null ? null : (
        <button type="button" className="button" onClick={onEdit}>
          <Icon name="edit" />
          Edit
        </button>
      )}
      <button type="button" className="button danger" onClick={onDelete}>
        <Icon name="bin" />
        Delete…
      </button>
    </>
  );
}
