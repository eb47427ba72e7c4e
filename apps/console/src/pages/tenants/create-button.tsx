import { useState } from 'react';
import { CreateDialog } from '../../typed/create-dialog.tsx';
import { nounOf, type TypedKind } from '../../typed/kind.ts';
import { Icon } from '../../ui/icon.tsx';

/** Opens the form of a new typed resource. */
export function CreateButton<T>({
  kind,
  path,
  project = '',
  onCreated,
}: {
  readonly kind: TypedKind<T>;
  readonly path: string;
  readonly project?: string;
  readonly onCreated: (item: T) => void;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        New {nounOf(kind)}
      </button>
      {open ? (
        <CreateDialog
          kind={kind}
          path={path}
          project={project}
          onCreated={onCreated}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
