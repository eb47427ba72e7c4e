import { arrayLiteral, coalesceWrites, type Patience, type Sql } from '@platform/postgres';
import { type FinalizersCommand, StaleDefinitions, type SubresourceOutcome } from '@platform/resources';
import { gate, isCurrent, locate, parametersFrom, textPerShape, versionParameters } from './locate.ts';
import { columnsOf, maybeResource, resourceWidth, storedColumnsOf, toResource } from './row.ts';

/** Adds and removes finalizers of the latest row, in one statement that locks it first. */
export async function changeFinalizers(sql: Sql, command: FinalizersCommand): Promise<SubresourceOutcome> {
  const located = locate(command.ref);
  const [row = []] = await sql.rows(textOf(located), [...changeParameters(command), ...located.parameters]);
  const [open, changed, tooMany] = row.slice(resourceWidth);
  if (!open) throw new StaleDefinitions();
  if (row[0] === null) return { outcome: 'missing' };
  if (tooMany) return { outcome: 'tooManyFinalizers' };
  return { outcome: 'written', resource: toResource(row), changed: changed === true };
}

/** Changes of finalizers, those of the same moment in one statement. */
export function changeFinalizersCoalesced(
  sql: Sql,
  patiently: Patience,
): (command: FinalizersCommand) => Promise<SubresourceOutcome> {
  return coalesceWrites({
    keyOf: (command: FinalizersCommand) => locate(command.ref).shape,
    weigh: ({ add, remove }) => lengthOf(add) + lengthOf(remove),
    together: (commands) => changeFinalizersTogether(sql, commands),
    alone: (command) => patiently(() => changeFinalizers(sql, command)),
  });
}

/**
 * The changes that can be made without waiting, of commands whose references have one shape; null for the others, and for those that
 * change nothing or are refused.
 */
export async function changeFinalizersTogether(
  sql: Sql,
  commands: readonly FinalizersCommand[],
): Promise<readonly (SubresourceOutcome | null)[]> {
  const located = commands.map((command) => locate(command.ref));
  const first = located[0];
  if (first === undefined) return [];
  const each = commands.map((command, index) => [
    ...changeParameters(command),
    ...(located[index]?.parameters ?? []),
  ]);
  const columns = Array.from({ length: 5 + first.parameters.length }, (_, index) =>
    arrayLiteral(each.map((parameters) => parameters[index] as string | number | null)),
  );
  const rows = await sql.rows(togetherText(first), columns);
  return rows.map((row) => {
    const resource = maybeResource(row);
    return resource === null ? null : { outcome: 'written', resource, changed: true };
  });
}

/** The definition with its version, the finalizers to remove and to add, and the limit. */
function changeParameters({ definition, remove, add, limit }: FinalizersCommand) {
  return [
    ...versionParameters(definition),
    arrayLiteral(remove),
    arrayLiteral([...new Set(add)]),
    limit,
  ] as const;
}

function lengthOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + name.length, 0);
}

/** SQL of two arrays, given SQL for what is removed and added: what stays of `locked.finalizers`, and what comes to it; both keep their order. */
function sifted(removed: string, added: string): string {
  return `
    array(
      select name from unnest(locked.finalizers) with ordinality as f(name, place)
      where name <> all (${removed}) order by place
    ) as kept,
    array(
      select name from unnest(${added}) with ordinality as f(name, place)
      where name <> all (array(select unnest(locked.finalizers) except select unnest(${removed}))) order by place
    ) as added`;
}

/** SQL for whether the arrays of {@link sifted} are more than a row may have. */
const tooMany = (limit: string) =>
  `cardinality(added) > 0 and cardinality(kept) + cardinality(added) > ${limit}`;

const textOf = textPerShape(
  (located) => `
    with ${gate(1)},
    locked as materialized (
      select r.* from resources r where (select open from gate) and ${located.condition(parametersFrom(6))} for no key update
    ),
    sifted as materialized (select uid, ${sifted('$3::text[]', '$4::text[]')} from locked),
    wanted as materialized (select uid, kept || added as finalizers, ${tooMany('$5::int')} as too_many from sifted),
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

/** As the status writes of one moment (replace-status.ts): rows are located, locked in uid order without waiting, and each is written once. */
const togetherText = textPerShape((located) => {
  const names = located.parameters.map((_, index) => `p${index}`);
  return `
    with input as materialized (
      select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::int[]${names.map((_, index) => `, $${index + 6}::text[]`).join('')})
        with ordinality as i(definition_uid, version, removed, added, most, ${names.join(', ')}, place)
    ),
    target as materialized (
      select place, removed::text[], added::text[], most, found.uid,
        row_number() over (partition by found.uid order by place) as turn
      from input join lateral (
        select r.uid from resources r where ${located.condition((index) => `input.p${index}`)} offset 0
      ) as found on true
      where ${isCurrent('definition_uid', 'version')}
    ),
    locked as materialized (
      select r.uid, r.finalizers from resources r where r.uid = any(array(select uid from target where turn = 1))
      order by r.uid for no key update skip locked
    ),
    sifted as materialized (
      select locked.uid, locked.finalizers as before, most, place, ${sifted('target.removed', 'target.added')}
      from target join locked using (uid) where turn = 1
    ),
    written as (
      update resources r set finalizers = kept || added, revision = r.revision + 1, updated_at = now()
      from sifted where r.uid = sifted.uid and not (${tooMany('most')}) and kept || added <> before
      returning ${storedColumnsOf('r')}, sifted.place
    )
    select ${columnsOf('written')} from input left join written using (place) order by place`;
});
