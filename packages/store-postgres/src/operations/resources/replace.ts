import type { ReplaceCommand, ReplaceOutcome } from '@platform/resources';
import type { Parameter, Sql } from '../../connection.ts';
import { arrayLiteral } from '../../literals.ts';
import { gate } from './locate.ts';
import { columnsOf, type ResourceRow, resourceWidth, toResource } from './row.ts';

/** What every statement that replaces a row sets; parameters 1 to 9 are those of {@link replaceParameters}. */
export const replaceAssignments = `
  api_version = $3::text, metadata = $4::json, spec = $5::json, finalizers = $6::text[], owner_references = $7::jsonb,
  generation = r.generation + $8::int, revision = r.revision + 1, updated_at = now()`;

/** Parameters 1 to 9: uid, revision, what is set, and the epoch. */
export function replaceParameters(command: ReplaceCommand): Parameter[] {
  return [
    command.uid,
    command.revision,
    command.apiVersion,
    command.metadata,
    command.spec,
    arrayLiteral(command.finalizers),
    command.ownerReferences.length === 0 ? '[]' : JSON.stringify(command.ownerReferences),
    command.specChanged ? 1 : 0,
    command.epoch,
  ];
}

/** Replaces a row that gains no owner, in one statement. */
export async function replaceRow(sql: Sql, command: ReplaceCommand): Promise<ReplaceOutcome> {
  const { definitionUid, uid } = command;
  // Locks are taken in uid order, and the row's own comes with the update; so it is locked here only if it sorts first.
  const locks = definitionUid === null ? [] : uid < definitionUid ? [uid, definitionUid] : [definitionUid];
  const rows = await sql.rows(text, [...replaceParameters(command), definitionUid, arrayLiteral(locks)]);
  const [open, currentRevision] = (rows[0] ?? []).slice(resourceWidth);
  if (!open) return { outcome: 'catalogMoved' };
  if (rows[0]?.[0] !== null) {
    return { outcome: 'replaced', resource: toResource(rows[0] as unknown as ResourceRow) };
  }
  return mismatch(sql, command, currentRevision as number | null);
}

/** Why a row was not replaced, given its revision as the statement's snapshot has it: that may be older than the row. */
export async function mismatch(
  sql: Sql,
  command: ReplaceCommand,
  snapshotRevision: number | null,
): Promise<ReplaceOutcome> {
  if (snapshotRevision !== null && snapshotRevision !== command.revision) {
    return { outcome: 'revisionMismatch', currentRevision: snapshotRevision };
  }
  const [row] = await sql.rows<readonly [number]>('select revision from resources where uid = $1::uuid', [
    command.uid,
  ]);
  return row === undefined
    ? { outcome: 'missing' }
    : { outcome: 'revisionMismatch', currentRevision: row[0] };
}

// A definition that was changed while its lock was waited for: the write is judged anew, as if it had come a moment later.
const text = `
  with ${gate(9)},
  locked as materialized (
    select uid, generation from resources
    where uid = any($11::uuid[]) and (select open from gate) order by uid for key share
  ),
  verdict as materialized (
    select open and not exists (
      select from resources before left join locked using (uid)
      where before.uid = $10::uuid and locked.generation is distinct from before.generation
    ) as open from gate
  ),
  replaced as (
    update resources r set ${replaceAssignments}
    where uid = $1::uuid and revision = $2::bigint and (select open from verdict)
    returning ${columnsOf('r')}
  )
  select ${columnsOf('replaced')}, verdict.open, (select revision from resources where uid = $1::uuid)
  from verdict left join replaced on true`;
