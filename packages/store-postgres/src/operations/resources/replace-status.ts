import type { StatusCommand, SubresourceOutcome } from '@platform/resources';
import type { Sql } from '../../connection.ts';
import { gate, locate, parametersFrom, textPerShape } from './locate.ts';
import { columnsOf, resourceWidth, toResource } from './row.ts';
import { statusWith, statusWithout } from './status-text.ts';

/** Writes or clears one slot of the latest row, in one statement. */
export async function replaceStatus(sql: Sql, command: StatusCommand): Promise<SubresourceOutcome> {
  const { epoch, slot, value } = command;
  const located = locate(command.ref);
  const rows =
    value === null
      ? await sql.rows(clearingText(located), [epoch, slot, ...located.parameters])
      : await sql.rows(writingText(located), [epoch, slot, value, ...located.parameters]);
  const row = rows[0] ?? [];
  const [open, changed] = row.slice(resourceWidth);
  if (!open) return { outcome: 'catalogMoved' };
  if (row[0] === null) return { outcome: 'missing' };
  return { outcome: 'written', resource: toResource(row), changed: changed === true };
}

const writingText = textPerShape(
  (located) => `
    with ${gate(1)},
    written as (
      update resources r set status = ${statusWith('r.status', '$2::text', '$3::text')},
        revision = r.revision + 1, updated_at = now()
      where (select open from gate) and ${located.condition(parametersFrom(4))}
      returning ${columnsOf('r')}
    )
    select ${columnsOf('written')}, gate.open, true from gate left join written on true`,
);

/** Locks the row first, so that "there is no such slot" is said of the row as it is now. */
const clearingText = textPerShape(
  (located) => `
    with ${gate(1)},
    locked as materialized (
      select r.* from resources r where (select open from gate) and ${located.condition(parametersFrom(3))} for no key update
    ),
    cleared as (
      update resources r set status = ${statusWithout('r.status', '$2::text')}, revision = r.revision + 1, updated_at = now()
      from locked where r.uid = locked.uid and (locked.status -> 'controllers' -> $2::text) is not null
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
