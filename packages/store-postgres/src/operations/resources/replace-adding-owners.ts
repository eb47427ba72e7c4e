import { arrayLiteral, type Sql } from '@platform/postgres';
import { groupOf, type ReplaceCommand, type ReplaceOutcome, StaleDefinitions } from '@platform/resources';
import { advisoryLock } from '../../advisory-locks.ts';
import { gate } from './locate.ts';
import { ownerFaults } from './owner-faults.ts';
import { isHeldAt, mismatch, replaceAssignments, replaceParameters } from './replace.ts';
import { columnsOf, resourceWidth, storedColumnsOf, toResource } from './row.ts';

/**
 * Replaces a row that gains owners; in a transaction, since the graph lock comes first and the search for a cycle must see
 * what its last holder committed. Only writes that add an edge between rows that exist take the lock: a new row cannot close a
 * cycle, because nothing refers to it yet.
 */
export async function replaceAddingOwners(sql: Sql, command: ReplaceCommand): Promise<ReplaceOutcome> {
  await sql.rows(beginText);
  const { definition, uid, addedOwners } = command;
  const added = command.ownerReferences
    .map((owner, index) => ({ owner, index }))
    .filter(({ owner }) => addedOwners.some((each) => each.uid === owner.uid));
  const locks = [
    uid,
    ...added.map(({ owner }) => owner.uid),
    ...(definition === null ? [] : [definition.uid]),
  ];
  const rows = await sql.rows(text, [
    ...replaceParameters(command),
    arrayLiteral(locks),
    arrayLiteral(added.map(({ index }) => index)),
    arrayLiteral(added.map(({ owner }) => owner.uid)),
    arrayLiteral(added.map(({ owner }) => groupOf(owner.apiVersion))),
    arrayLiteral(added.map(({ owner }) => owner.kind)),
    arrayLiteral(added.map(({ owner }) => owner.name)),
  ]);
  const row = rows[0] ?? [];
  const [open, currentRevision, refused, cycle] = row.slice(resourceWidth) as [
    boolean,
    number | null,
    string,
    boolean,
  ];
  if (!open) throw new StaleDefinitions();
  if (row[0] !== null) return { outcome: 'replaced', resource: toResource(row) };
  if (currentRevision !== command.revision) return mismatch(sql, command, currentRevision);
  if (refused !== '{}') return ownerFaults(command.ownerReferences, refused);
  if (cycle) return { outcome: 'ownerCycle' };
  return mismatch(sql, command, currentRevision);
}

/**
 * The recursive search begins with a hash table as large as these allow, whatever it finds: 40 ms under the graph lock with the 32 MB of the
 * session, so that no more than 25 such writes a second would go through.
 */
const beginText = `
  select set_config('work_mem', '1MB', true), set_config('hash_mem_multiplier', '1', true), ${advisoryLock.graph}::text`;

const text = `
  with recursive ${gate(9)},
  locked as materialized (
    select uid, api_group, kind, name, revision, definition_version, deletion_timestamp from resources
    where uid = any($11::uuid[]) and (select open from gate) order by uid for key share
  ),
  refused as materialized (
    select added.index
    from unnest($12::int[], $13::uuid[], $14::text[], $15::text[], $16::text[]) as added(index, uid, api_group, kind, name)
    left join locked as held using (uid)
    where held.uid is null or held.deletion_timestamp is not null
      or (held.api_group, held.kind, held.name) is distinct from (added.api_group, added.kind, added.name)
  ),
  -- Everything that the new owners depend on, over both kinds of edges; union visits each row once.
  above(uid) as (
    select unnest($13::uuid[])
    union
    select edge.uid from above
    -- Offset 0: as in get-many.ts.
    cross join lateral (select parent_uid, owner_references from resources where uid = above.uid offset 0) as r
    cross join lateral (
      select r.parent_uid where r.parent_uid is not null
      union all
      select unnest(owner_uids(r.owner_references)) where r.owner_references <> '[]'
    ) as edge(uid)
  ),
  verdict as materialized (
    select open and ${isHeldAt('$9::uuid', '$10::uuid')} as open,
      array(select index from refused order by index) as refused,
      exists (select from above where uid = $1::uuid) as cycle
    from gate
  ),
  replaced as (
    update resources r set ${replaceAssignments}
    where uid = $1::uuid and revision = $2::bigint and (select open and refused = '{}' and not cycle from verdict)
    returning ${storedColumnsOf('r')}
  )
  select ${columnsOf('replaced')}, verdict.open, (select revision from locked where uid = $1::uuid),
    verdict.refused::text, verdict.cycle
  from verdict left join replaced on true`;
