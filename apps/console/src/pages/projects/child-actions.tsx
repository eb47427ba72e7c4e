import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { DeleteDialog } from '../../typed/delete-dialog.tsx';
import { EditDialog } from '../../typed/edit-dialog.tsx';
import type { TypedItem, TypedKind } from '../../typed/kind.ts';
import { ItemActions } from '../../ui/item-actions.tsx';
import { type CollectionName, childPath, collections } from './collections.ts';

/** Edit and delete something below a project. */
export function ChildActions<T extends TypedItem>({
  kind,
  project,
  item,
  collection,
  warning,
  isBlocked = false,
  children,
}: {
  readonly kind: TypedKind<T>;
  readonly project: string;
  readonly item: T;
  readonly collection: CollectionName;
  /** The consequences of deleting it. */
  readonly warning: ReactNode;
  readonly isBlocked?: boolean;
  readonly children?: ReactNode;
}) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const path = childPath(project, collection, item.name);
  const { noun, tab } = collections[collection];
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
          noun={noun}
          item={item}
          path={path}
          isBlocked={isBlocked}
          onClose={close}
          onDeleted={() => void navigate({ to: '/tenants/$project', params: { project }, search: { tab } })}
        >
          {warning}
        </DeleteDialog>
      ) : null}
    </>
  );
}
