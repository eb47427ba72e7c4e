import type { Sql } from '@platform/postgres';
import {
  type DefinitionVersion,
  type LockedResource,
  type ResourceRef,
  StaleDefinitions,
} from '@platform/resources';
import type { UidArray } from './cascade.ts';
import { definitionTable, versionParameters } from './current-definition.ts';
import {
  anyProtected,
  blocksOwner,
  isChildOf,
  isOwnedBy,
  isProtected,
  liveDependents,
} from './dependents.ts';
import { locate, oncePerShape, parametersFrom } from './locate.ts';
import { holdCascades, isLive } from './pending-cascades.ts';
import { columnsOf, resourceWidth, toResource } from './row.ts';

/**
 * The locked rows: the row, and its live dependents unless they are too many to mark as deleted (null). No dependent can be added while it is locked.
 * `guarded` tells whether a protected row may be among them.
 */
export interface LockedForDeletion {
  readonly locked: LockedResource;
  readonly dependents: UidArray | null;
  readonly guarded: boolean;
}

/**
 * Locks a row and its live dependents, then looks at it. Inside a transaction.
 *
 * `FOR UPDATE`, the one lock that keeps out the `FOR KEY SHARE` of a create below the row or of a reference to it. Tombstoned
 * dependents stay unlocked: they are not written, and whatever happens to them, the row only gets freer. More than `mostMarked` live ones
 * stay unlocked, too: their tombstones are derived, see pending-cascades.ts.
 */
export async function lockForDeletion(
  sql: Sql,
  ref: ResourceRef,
  definition: DefinitionVersion,
  mostMarked: number,
): Promise<LockedForDeletion | { outcome: 'missing' }> {
  const located = locate(ref);
  const rows = await sql.rows<readonly [boolean, string | null, string, boolean]>(lockText(located), [
    ...versionParameters(definition),
    mostMarked,
    ...located.parameters,
  ]);
  const [isCurrent, uid, locked, wide] = rows[0] ?? [false, null, '{}', false];
  if (!isCurrent) throw new StaleDefinitions();
  if (uid === null) return { outcome: 'missing' };
  const [row] = await sql.rows(lookText, [uid, locked, wide]);
  if (row === undefined) return { outcome: 'missing' };
  const [blocked, anyProtected, ownProtection, overlooked] = row.slice(resourceWidth) as [
    boolean,
    boolean,
    boolean,
    string,
  ];
  // Dependents that were added between the snapshot of the first statement and its lock. None can follow now. Their locks may be out of
  // uid order, so the statement does not wait: the transaction runs again if one is held.
  if (overlooked !== '{}') await sql.rows(lockMoreText, [overlooked]);
  const dependents = wide ? null : dependentsAmong(uid, locked, overlooked);
  const guarded = anyProtected && (ownProtection || blocked || dependents !== '{}');
  return { locked: { outcome: 'locked', resource: toResource(row), blocked }, dependents, guarded };
}

/** The row's own uid may stay among those of its dependents: the cascade leaves it out. */
function dependentsAmong(uid: string, locked: UidArray, overlooked: UidArray): UidArray {
  if (overlooked !== '{}') return `${locked.slice(0, -1)},${overlooked.slice(1)}`;
  return locked === `{${uid}}` ? '{}' : locked;
}

const lockText = oncePerShape(
  (located) => `
    with ${definitionTable(1)},
    target as materialized (
      select r.uid, ${holdCascades('r')} as held from resources r
      where (select is_current from definition) and ${located.condition(parametersFrom(4))}
    ),
    dependent as materialized (
      select dependent.uid from target cross join lateral (${liveDependents('target.uid', '$3::bigint + 1')}) as dependent
    ),
    few as materialized (select count(*) <= $3::bigint as few from dependent),
    locked as materialized (
      select r.uid from resources r
      where r.uid = any(array(
        select uid from target where held is not null union all select uid from dependent where (select few from few)))
      order by r.uid for update
    )
    select is_current, (select uid from target), array(select uid from locked)::text, not (select few from few) from definition`,
);

const lookText = `
  select ${columnsOf('r')},
    exists (select from resources c where ${isChildOf('r.uid', 'c')})
      or exists (select from resources o where ${isOwnedBy('r.uid', 'o')} and ${blocksOwner('r.uid', 'o')})
      or not ${isLive('r')} and ${anyProtected} and exists (select from resources o where ${isOwnedBy('r.uid', 'o')} and ${isProtected('o')}),
    ${anyProtected}, ${isProtected('r')},
    case when $3::boolean then '{}'
      else array(select uid from (${liveDependents('$1::uuid')}) as live except select unnest($2::uuid[]))::text end
  from resources r where uid = $1::uuid and uid = any($2::uuid[])`;

const lockMoreText = 'select from resources where uid = any($1::uuid[]) order by uid for update nowait';
