import { arrayLiteral, coalesceWrites, type Parameter, type Patience, type Sql } from '@platform/postgres';
import { type ReplaceCommand, type ReplaceOutcome, StaleDefinitions } from '@platform/resources';
import { gate, versionParameters } from './locate.ts';
import { columnsOf, maybeResource, resourceWidth, storedColumnsOf, toResource } from './row.ts';

/** What every statement that replaces a row sets, given SQL for the values of {@link replaceParameters}. */
function assignments(value: (place: number) => string): string {
  return `
    api_version = ${value(3)}::text, metadata = ${value(4)}::json, spec = ${value(5)}::json,
    finalizers = ${value(6)}::text[], owner_references = ${value(7)}::jsonb,
    generation = r.generation + ${value(8)}::int, revision = r.revision + 1, updated_at = now()`;
}

/** The assignments from {@link replaceParameters}. */
export const replaceAssignments = assignments((place) => `$${place}`);

/** Parameters 1 to 10: uid, revision, the new values, and the definition with its version. */
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
    ...versionParameters(command.definition),
  ];
}

/** SQL for whether the definition is at its version now that the table `locked` holds it. */
export function isHeldAt(uid: string, version: string): string {
  return `(${uid} is null or exists (select from locked where uid = ${uid} and definition_version = ${version}))`;
}

/** Replaces a row that gains no owner, in one statement. */
export async function replaceRow(sql: Sql, command: ReplaceCommand): Promise<ReplaceOutcome> {
  const { uid } = command;
  const definitionUid = command.definition?.uid ?? null;
  // Locks are taken in uid order, and the row's own comes with the update; so it is locked here only if it sorts first.
  const locks = definitionUid === null ? [] : uid < definitionUid ? [uid, definitionUid] : [definitionUid];
  const [row = []] = await sql.rows(text, [...replaceParameters(command), arrayLiteral(locks)]);
  const [open, currentRevision] = row.slice(resourceWidth);
  if (!open) throw new StaleDefinitions();
  if (row[0] !== null) return { outcome: 'replaced', resource: toResource(row) };
  return mismatch(sql, command, currentRevision as number | null);
}

/** Replacements that gain no owner, those of the same moment in one statement. */
export function replaceCoalesced(
  sql: Sql,
  patiently: Patience,
): (command: ReplaceCommand) => Promise<ReplaceOutcome> {
  return coalesceWrites({
    keyOf: () => 'replace',
    weigh: ({ metadata, spec }) => metadata.length + spec.length,
    together: (commands) => replaceTogether(sql, commands),
    alone: (command) => patiently(() => replaceRow(sql, command)),
  });
}

/** The replacements that can be made without waiting; null for the others. */
export async function replaceTogether(
  sql: Sql,
  commands: readonly ReplaceCommand[],
): Promise<readonly (ReplaceOutcome | null)[]> {
  const each = commands.map(replaceParameters);
  const columns = Array.from({ length: 10 }, (_, index) =>
    arrayLiteral(each.map((parameters) => parameters[index] as string | number | null)),
  );
  const rows = await sql.rows(togetherText, columns);
  return rows.map((row) => {
    const resource = maybeResource(row);
    return resource === null ? null : { outcome: 'replaced', resource };
  });
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

// The lock shows the definition as it is then, not as the snapshot has it: one that changed during the wait is stale too.
const text = `
  with ${gate(9)},
  locked as materialized (
    select uid, definition_version from resources
    where uid = any($11::uuid[]) and (select open from gate) order by uid for key share
  ),
  verdict as materialized (
    select open and ${isHeldAt('$9::uuid', '$10::uuid')} as open from gate
  ),
  replaced as (
    update resources r set ${replaceAssignments}
    where uid = $1::uuid and revision = $2::bigint and (select open from verdict)
    returning ${storedColumnsOf('r')}
  )
  select ${columnsOf('replaced')}, verdict.open, (select revision from resources where uid = $1::uuid)
  from verdict left join replaced on true`;

/**
 * Writes the rows that can be locked at once, at the revision that was read, under a definition that can be locked at once and has not
 * changed; whatever else a command comes to is found when it goes on alone. A row that is named twice is written once.
 */
const togetherText = `
  with input as materialized (
    select *, row_number() over (partition by p1 order by place) as turn
    from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::uuid[], $10::uuid[])
      with ordinality as i(p1, p2, p3, p4, p5, p6, p7, p8, definition_uid, version, place)
  ),
  definition as materialized (
    select uid, definition_version from resources where uid = any(array(select definition_uid from input))
    order by uid for key share skip locked
  ),
  admitted as materialized (
    select input.* from input
    where turn = 1 and (definition_uid is null or exists (
      select from definition where uid = input.definition_uid and definition_version = input.version))
  ),
  locked as materialized (
    select uid from resources where uid = any(array(select p1 from admitted)) order by uid for no key update skip locked
  ),
  replaced as (
    update resources r set ${assignments((place) => `admitted.p${place}`)}
    from admitted join locked on locked.uid = admitted.p1
    where r.uid = admitted.p1 and r.revision = admitted.p2
    returning ${storedColumnsOf('r')}, admitted.place
  )
  select ${columnsOf('replaced')} from generate_series(1, cardinality($1::uuid[])) as place
  left join replaced using (place) order by place`;
