import { arrayLiteral } from '@platform/postgres';
import type { Attributed, ChangeContext } from '@platform/resources';
import type { InputColumn } from './input.ts';
import { revisionOf } from './pending-cascades.ts';

/** The text of a `text[]` with the context of a write: the columns `written` and `deletion` of a row have this form. */
export function changeLiteral(change: ChangeContext): string {
  const { operation, actor, requestId, reason, cascadeId, sourceAddress, userAgent } = change;
  return arrayLiteral([
    ...[operation, actor.type, actor.id, requestId, reason, cascadeId, sourceAddress, userAgent],
  ]);
}

/** The members after the operation, which cascades inherit from the deletion that causes them. */
export const inheritedMembers = '[2:8]';

/** The column in which a statement is given the context of each write. */
export const changeInput: InputColumn<Attributed> = {
  name: 'change',
  type: 'text[]',
  value: ({ change }) => changeLiteral(change),
};

/** SQL that stores the context with a row that is updated. Without the revision, a write by SQL would pass for the one before. */
export function changeAssignments(change: string): string {
  return `written = ${change}, written_revision = ${revisionOf('r')} + 1`;
}
