import type { ReactNode } from 'react';
import { useCaller } from '../../api/queries.ts';
import { nounOf, type TypedItem, type TypedKind } from '../../typed/kind.ts';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { CreateButton } from './create-button.tsx';

/** The projects or teams that the caller belongs to; all of them for admins, who also create them. */
export function TenantList<T extends TypedItem>({
  kind,
  path,
  columns,
  help = null,
  onCreated,
}: {
  readonly kind: TypedKind<T>;
  readonly path: string;
  readonly columns: readonly TableColumn<T>[];
  /** The hint for users who are not admins and so cannot create one. */
  readonly help?: ReactNode;
  readonly onCreated: (item: T) => void;
}) {
  const { data: caller } = useCaller();
  const mayCreate = caller?.admin === true || caller?.operator === true;
  const plural = `${nounOf(kind)}s`;
  return (
    <PagedTable
      path={`${path}?limit=100`}
      label={`${plural.charAt(0).toUpperCase()}${plural.slice(1)}`}
      what={`list ${plural}`}
      none={caller?.admin === true ? `No ${plural} yet` : `You belong to no ${nounOf(kind)}`}
      action={mayCreate ? <CreateButton kind={kind} path={path} onCreated={onCreated} /> : help}
      keyOf={({ uid }) => uid}
      columns={columns}
    />
  );
}
