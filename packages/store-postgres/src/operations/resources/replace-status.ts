import { arrayLiteral, coalesceWrites, type Patience, type Sql } from '@platform/postgres';
import { StaleDefinitions, type StatusCommand, type SubresourceOutcome } from '@platform/resources';
import {
  gate,
  isCurrent,
  locate,
  parametersFrom,
  textPerShape,
  versionArrays,
  versionParameters,
} from './locate.ts';
import { columnsOf, maybeResource, resourceWidth, storedColumnsOf, toResource } from './row.ts';
import { statusFits, statusWith, statusWithout } from './status-text.ts';

/** Writes or clears one slot of the latest row, in one statement. */
export async function replaceStatus(sql: Sql, command: StatusCommand): Promise<SubresourceOutcome> {
  const { slot, value } = command;
  const definition = versionParameters(command.definition);
  const located = locate(command.ref);
  const rows =
    value === null
      ? await sql.rows(clearingText(located), [...definition, slot, ...located.parameters])
      : await sql.rows(writingText(located), [...definition, slot, value, ...located.parameters]);
  const row = rows[0] ?? [];
  const [open, changed, found] = row.slice(resourceWidth);
  if (!open) throw new StaleDefinitions();
  if (row[0] === null) return { outcome: found === true ? 'statusTooLarge' : 'missing' };
  return { outcome: 'written', resource: toResource(row), changed: changed === true };
}

/** Status writes, those of the same moment in one statement. Clearing a slot is rare and goes alone. */
export function replaceStatusCoalesced(
  sql: Sql,
  patiently: Patience,
): (command: StatusCommand) => Promise<SubresourceOutcome> {
  const alone = (command: StatusCommand) => patiently(() => replaceStatus(sql, command));
  const write = coalesceWrites({
    keyOf: (command: StatusCommand) => locate(command.ref).shape,
    weigh: (command) => command.value?.length ?? 0,
    together: (commands) => writeStatusTogether(sql, commands),
    alone,
  });
  return (command) => (command.value === null ? alone(command) : write(command));
}

/** The writes that can be made without waiting, of commands whose references have one shape; null for the others. */
export async function writeStatusTogether(
  sql: Sql,
  commands: readonly StatusCommand[],
): Promise<readonly (SubresourceOutcome | null)[]> {
  const located = commands.map((command) => locate(command.ref));
  const first = located[0];
  if (first === undefined) return [];
  const rows = await sql.rows(togetherText(first), [
    ...versionArrays(commands),
    arrayLiteral(commands.map((command) => command.slot)),
    arrayLiteral(commands.map((command) => command.value)),
    ...first.parameters.map((_, index) =>
      arrayLiteral(located.map((each) => each.parameters[index] as string)),
    ),
  ]);
  return rows.map((row) => {
    const resource = maybeResource(row);
    return resource === null ? null : { outcome: 'written', resource, changed: true };
  });
}

/**
 * A row that is named twice is written once; the other command goes on alone, as do those whose row is locked, missing, too large, or
 * resolved with an earlier version of its definition. Offset 0: as in get-many.ts. Rows are locked before they are written, without waiting, so that two batches cannot block each other.
 */
const togetherText = textPerShape((located) => {
  const names = located.parameters.map((_, index) => `p${index}`);
  return `
    with input as materialized (
      select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]${names.map((_, index) => `, $${index + 5}::text[]`).join('')})
        with ordinality as i(definition_uid, version, slot, value, ${names.join(', ')}, place)
    ),
    target as materialized (
      select place, slot, value, found.uid, row_number() over (partition by found.uid order by place) as turn
      from input join lateral (
        select r.uid from resources r where ${located.condition((index) => `input.p${index}`)} offset 0
      ) as found on true
      where ${isCurrent('definition_uid', 'version')}
    ),
    locked as materialized (
      select r.uid from resources r where r.uid = any(array(select uid from target where turn = 1))
      order by r.uid for no key update skip locked
    ),
    written as (
      update resources r set status = ${statusWith('r.status', 'target.slot', 'target.value')},
        revision = r.revision + 1, updated_at = now()
      from target join locked using (uid) where r.uid = target.uid and turn = 1
        and ${statusFits('r.status', 'target.slot', 'target.value')}
      returning ${storedColumnsOf('r')}, target.place
    )
    select ${columnsOf('written')} from input left join written using (place) order by place`;
});

/** Locks the row first, so that a row that would become too large is told apart from a missing one. */
const writingText = textPerShape(
  (located) => `
    with ${gate(1)},
    locked as materialized (
      select r.uid from resources r where (select open from gate) and ${located.condition(parametersFrom(5))} for no key update
    ),
    written as (
      update resources r set status = ${statusWith('r.status', '$3::text', '$4::text')},
        revision = r.revision + 1, updated_at = now()
      from locked where r.uid = locked.uid and ${statusFits('r.status', '$3::text', '$4::text')}
      returning ${storedColumnsOf('r')}
    )
    select ${columnsOf('written')}, gate.open, true, locked.uid is not null
    from gate left join locked on true left join written on true`,
);

/** Locks the row first, so that "there is no such slot" is said of the row as it is now. */
const clearingText = textPerShape(
  (located) => `
    with ${gate(1)},
    locked as materialized (
      select r.* from resources r where (select open from gate) and ${located.condition(parametersFrom(4))} for no key update
    ),
    cleared as (
      update resources r set status = ${statusWithout('r.status', '$3::text')}, revision = r.revision + 1, updated_at = now()
      from locked where r.uid = locked.uid and (locked.status -> 'controllers' -> $3::text) is not null
      returning r.uid, r.status, r.revision
    )
    select ${columnsOf('latest')}, gate.open, latest.changed
    from gate left join (
      select locked.uid, api_version, kind, parent_uid, name, discriminator, metadata, spec,
        coalesce(cleared.status, locked.status) as status, coalesce(cleared.revision, locked.revision) as revision,
        generation, finalizers, owner_references, deletion_timestamp, created_at, cleared.uid is not null as changed
      from locked left join cleared using (uid)
    ) as latest on true`,
);
