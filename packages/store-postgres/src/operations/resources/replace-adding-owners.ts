import type { Sql } from '@platform/postgres';
import {
  groupOf,
  maxRowsAbove,
  type OwnerReference,
  ownerGraphTooLarge,
  type ReplaceCommand,
  type ReplaceOutcome,
  StaleDefinitions,
} from '@platform/resources';
import { advisoryLock } from '../../advisory-locks.ts';
import { isCurrent } from './current-definition.ts';
import { anyProtected } from './dependents.ts';
import { inputOf } from './input.ts';
import { ownerFaults } from './owner-faults.ts';
import { isLive, revisionOf } from './pending-cascades.ts';
import { replaceAssignments, replaceInput } from './replace.ts';
import { columnsOf, maybeResource, resourceWidth, storedColumnsOf } from './row.ts';

/** An owner that is added, and its index among all owner references of the command. */
interface AddedOwner {
  readonly index: number;
  readonly owner: OwnerReference;
}

const ownerInput = inputOf<AddedOwner>(
  [
    { name: 'index', type: 'int', value: ({ index }) => index },
    { name: 'uid', type: 'uuid', value: ({ owner }) => owner.uid },
    { name: 'api_group', value: ({ owner }) => groupOf(owner.apiVersion) },
    { name: 'kind', value: ({ owner }) => owner.kind },
    { name: 'name', value: ({ owner }) => owner.name },
  ],
  replaceInput.count,
);

/**
 * Replaces a row that gains owners; in a transaction, since the graph lock comes first and the search for a cycle must see
 * what its last holder committed. Only writes that add an edge between rows that exist take the lock: a new row cannot close a
 * cycle, because nothing refers to it yet.
 */
export async function replaceAddingOwners(sql: Sql, command: ReplaceCommand): Promise<ReplaceOutcome> {
  await sql.rows(beginText);
  const addedUids = new Set(command.addedOwners.map(({ uid }) => uid));
  const added = command.ownerReferences
    .map((owner, index) => ({ owner, index }))
    .filter(({ owner }) => addedUids.has(owner.uid));
  const [row = []] = await sql.rows(text, [
    ...replaceInput.parameters([command]),
    ...ownerInput.parameters(added),
  ]);
  const resource = maybeResource(row);
  const [current, currentRevision, refused, cycle, tooLarge] = row.slice(resourceWidth) as [
    boolean,
    number | null,
    string,
    boolean,
    boolean,
  ];
  if (!current) throw new StaleDefinitions();
  if (resource !== null) return { outcome: 'replaced', resource };
  if (currentRevision === command.revision) {
    if (refused !== '{}') return ownerFaults(command.ownerReferences, refused);
    if (cycle) return { outcome: 'ownerCycle' };
    if (tooLarge) throw ownerGraphTooLarge();
  }
  return mismatch(sql, command.uid);
}

/** Why a row was not replaced. The lock does not keep out other writes of the row, so its revision is read again. */
async function mismatch(sql: Sql, uid: string): Promise<ReplaceOutcome> {
  const [row] = await sql.rows<readonly [number]>(revisionText, [uid]);
  return row === undefined
    ? { outcome: 'missing' }
    : { outcome: 'revisionMismatch', currentRevision: row[0] };
}

const revisionText = `select ${revisionOf('r')} from resources r where r.uid = $1::uuid`;

/** The recursive search allocates a hash table as large as these allow, whatever it finds, while the graph lock is held. */
const beginText = `
  select set_config('work_mem', '1MB', true), set_config('hash_mem_multiplier', '1', true), ${advisoryLock.graph}::text`;

const text = `
  with recursive input as materialized (
    select input.*, ${isCurrent('definition_uid', 'version')} as current from ${replaceInput.table} as input
  ),
  added as materialized (select * from ${ownerInput.table} as added),
  locked as materialized (
    select r.uid, r.api_group, r.kind, r.name, ${revisionOf('r')} as revision, r.definition_version, ${isLive('r')} as live from resources r
    where r.uid = any(array(
      select uid from input where current union select definition_uid from input where current
      union select added.uid from added cross join input where current))
    order by r.uid for key share
  ),
  refused as materialized (
    select added.index from added left join locked as held using (uid)
    where held.uid is null or not held.live
      or (held.api_group, held.kind, held.name) is distinct from (added.api_group, added.kind, added.name)
  ),
  -- Everything that the new owners depend on, over both kinds of edges; union visits each row once.
  everything_above(uid) as (
    select uid from added
    union
    select edge.uid from everything_above
    -- Offset 0: as in get-many.ts.
    cross join lateral (select parent_uid, owner_references from resources where uid = everything_above.uid offset 0) as r
    cross join lateral (
      select r.parent_uid where r.parent_uid is not null
      union all
      select unnest(owner_uids(r.owner_references)) where r.owner_references <> '[]'
    ) as edge(uid)
  ),
  -- The recursion ends with the last row that is asked for.
  above as materialized (select uid from everything_above limit ${maxRowsAbove + 1}),
  -- As in lock-above.ts: with the new edge, a deletion above could reach a protected row that it has not looked for.
  guarded as materialized (
    select r.uid from resources r where ${anyProtected} and r.uid = any(array(select uid from above)) order by r.uid for key share
  ),
  checked as materialized (
    select input.*, locked.revision as current_revision,
      current and (definition_uid is null or exists (
        select from locked as held where held.uid = definition_uid and held.definition_version = input.version)) as still_current,
      array(select index from refused order by index) as refused,
      exists (select from above where above.uid = input.uid) as cycle,
      (select count(*) from above) > ${maxRowsAbove} as too_large, (select count(*) from guarded) as guards
    from input left join locked on locked.uid = input.uid
  ),
  replaced as (
    update resources r set ${replaceAssignments('checked')}
    from checked
    where r.uid = checked.uid and ${revisionOf('r')} = expected_revision and still_current and refused = '{}' and not cycle and not too_large
    returning ${storedColumnsOf('r')}
  )
  select ${columnsOf('replaced')}, still_current, current_revision, refused::text, cycle, too_large
  from checked left join replaced on true`;
