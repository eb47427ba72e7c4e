import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { TypedItem, TypedKind } from '../../typed/kind.ts';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { CreateButton } from '../tenants/create-button.tsx';
import type { ChildTabProps } from './child-kind.ts';
import { ChildLink } from './child-link.tsx';
import { collectionPathOf } from './paths.ts';

/** The tab of a collection below a project: its items, and the form of a new one. */
export function ChildTab<T extends TypedItem>({
  child,
  project,
  kind = child.kind,
}: ChildTabProps<T> & {
  /** The form of a new item, where it depends on the project; null until it is known. */
  readonly kind?: TypedKind<T> | null;
}) {
  const { collection, title, columns, Created } = child;
  const navigate = useNavigate();
  // Not in the button: another one takes its place when the list is no longer empty.
  const [created, setCreated] = useState<T | null>(null);
  const path = collectionPathOf(project, collection);
  const plural = title.toLowerCase();
  const open = ({ name }: T) =>
    void navigate({ to: '/tenants/$project/$collection/$name', params: { project, collection, name } });
  const name: TableColumn<T> = {
    name: 'Name',
    cell: (item) => <ChildLink project={project} collection={collection} name={item.name} />,
  };
  return (
    <>
      <PagedTable<T>
        path={path}
        label={title}
        what={`list its ${plural}`}
        none={`No ${plural} yet`}
        action={
          kind === null ? null : (
            <CreateButton
              kind={kind}
              path={path}
              project={project}
              onCreated={Created === undefined ? open : setCreated}
            />
          )
        }
        keyOf={({ uid }) => uid}
        columns={[name, ...columns]}
      />
      {created === null || Created === undefined ? null : (
        <Created item={created} onClose={() => setCreated(null)} />
      )}
    </>
  );
}
