import type { FinalizersCommand, SubresourceOutcome } from '@platform/resources';
import type { Sql } from '../../connection.ts';
import { arrayLiteral } from '../../literals.ts';
import { gate, locate, parametersFrom, textPerShape } from './locate.ts';
import { columnsOf, resourceWidth, toResource } from './row.ts';

/** Adds and removes finalizers of the latest row, in one statement that locks it first. */
export async function changeFinalizers(sql: Sql, command: FinalizersCommand): Promise<SubresourceOutcome> {
  const located = locate(command.ref);
  const added = [...new Set(command.add)];
  const parameters = [command.epoch, arrayLiteral(command.remove), arrayLiteral(added), command.limit];
  const [row = []] = await sql.rows(textOf(located), [...parameters, ...located.parameters]);
  const [open, changed, tooMany] = row.slice(resourceWidth);
  if (!open) return { outcome: 'catalogMoved' };
  if (row[0] === null) return { outcome: 'missing' };
  if (tooMany) return { outcome: 'tooManyFinalizers' };
  return { outcome: 'written', resource: toResource(row), changed: changed === true };
}

const textOf = textPerShape(
  (located) => `
    with ${gate(1)},
    locked as materialized (
      select r.* from resources r where (select open from gate) and ${located.condition(parametersFrom(5))} for no key update
    ),
    sifted as materialized (
      select uid,
        array(select name from unnest(finalizers) with ordinality as f(name, place) where name <> all ($2::text[]) order by place) as kept,
        array(select name from unnest($3::text[]) with ordinality as f(name, place) where name <> all (
          array(select unnest(finalizers) except select unnest($2::text[]))) order by place) as added
      from locked
    ),
    wanted as materialized (
      select uid, kept || added as finalizers,
        cardinality(added) > 0 and cardinality(kept) + cardinality(added) > $4::int as too_many
      from sifted
    ),
    written as (
      update resources r set finalizers = wanted.finalizers, revision = r.revision + 1, updated_at = now()
      from wanted join locked using (uid)
      where r.uid = wanted.uid and not too_many and wanted.finalizers <> locked.finalizers
      returning r.uid, r.revision
    )
    select ${columnsOf('latest')}, gate.open, latest.changed, latest.too_many
    from gate left join (
      select locked.uid, api_version, kind, parent_uid, name, discriminator, metadata, spec, status,
        coalesce(written.revision, locked.revision) as revision, generation, wanted.finalizers, owner_references,
        deletion_timestamp, created_at, written.uid is not null as changed, wanted.too_many
      from locked join wanted using (uid) left join written using (uid)
    ) as latest on true`,
);
