import type { Kind } from '../../api/kinds.ts';
import type { CollectionPlace } from '../../api/resource.ts';
import type { Row } from '../../live/row.ts';
import type { Table } from './use-table.ts';

/** A table, and what its rows do. */
export interface GridProps {
  readonly kind: Kind;
  readonly place: CollectionPlace;
  readonly table: Table;
  readonly selected: ReadonlyMap<string, Row>;
  readonly onSelect: (row: Row) => void;
  readonly onPanel: (uid: string) => void;
  readonly onDelete: (row: Row) => void;
}
