import type { Kind, KindRegistry } from '../../api/kinds.ts';
import { type CollectionPlace, collectionPath } from '../../api/resource.ts';
import type { Row } from '../../live/row.ts';

/** The resources and dependencies of a change of several resources. */
export interface BulkProps {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  readonly place: CollectionPlace;
  readonly rows: readonly Row[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The path of one of the selected resources, whatever it is called by now. */
export function pathOfRow({ group, version, plural }: CollectionPlace, { uid }: Pick<Row, 'uid'>): string {
  return `${collectionPath({ group, version, plural, ancestors: [] })}/uid:${uid}`;
}
