import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { DeleteDialog } from '../../typed/delete-dialog.tsx';
import { EditDialog } from '../../typed/edit-dialog.tsx';
import { nounOf, type TypedItem } from '../../typed/kind.ts';
import { ItemActions } from '../../ui/item-actions.tsx';
import type { ChildTabProps } from './child-kind.ts';
import { childPath } from './paths.ts';

/** Edit and delete something below a project. */
export function ChildActions<T extends TypedItem>({
  child: { collection, kind, tab, warning },
  project,
  item,
  blocker,
  children,
}: ChildTabProps<T> & {
  readonly item: T;
  /** Why it cannot be deleted yet, and what to delete first. */
  readonly blocker: ReactNode;
  readonly children: ReactNode;
}) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const path = childPath(project, collection, item.name);
  const close = () => setDialog(null);
  return (
    <>
      <ItemActions
        onEdit={kind.editFields === null ? null : () => setDialog('edit')}
        onDelete={() => setDialog('delete')}
      >
        {children}
      </ItemActions>
      {dialog === 'edit' ? (
        <EditDialog kind={kind} path={path} name={item.name} project={project} onClose={close} />
      ) : null}
      {dialog === 'delete' ? (
        <DeleteDialog
          noun={nounOf(kind)}
          item={item}
          path={path}
          isBlocked={blocker !== undefined}
          onClose={close}
          onDeleted={() => void navigate({ to: '/tenants/$project', params: { project }, search: { tab } })}
        >
          {blocker === undefined ? <p>{warning}</p> : <p className="banner">{blocker}</p>}
        </DeleteDialog>
      ) : null}
    </>
  );
}
