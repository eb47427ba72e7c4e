import { coalesceWrites, type Sql, type Statements } from '@platform/postgres';
import type { LeafCommand, LeafOutcome } from '@platform/resources';
import { changeInput } from './change.ts';
import { isCurrent } from './current-definition.ts';
import { isProtected } from './dependents.ts';
import { definitionInput, inputOf, locatedInput, locatedOperand } from './input.ts';
import { type Located, locate, oncePerShape } from './locate.ts';
import { holdCascades, isLive } from './pending-cascades.ts';
import { tellRemovals } from './remove.ts';
import { columnsOf, maybeResource, storedColumnsOf } from './row.ts';

const statementFor = oncePerShape((located) => {
  const input = inputOf<LeafCommand & { readonly located: Located }>([
    ...definitionInput,
    changeInput,
    ...locatedInput(located),
  ]);
  return { input, text: textOf(input.table, located) };
});

/** Removes the leaves among the rows, in one statement. */
async function removeLeaves(sql: Sql, commands: readonly LeafCommand[]): Promise<readonly LeafOutcome[]> {
  const items = commands.map((command) => ({ ...command, located: locate(command.ref) }));
  const [first] = items;
  if (first === undefined) return [];
  const { input, text } = statementFor(first.located);
  const rows = await sql.rows(text, input.parameters(items));
  return rows.map((row) => {
    const resource = maybeResource(row);
    return resource === null ? { outcome: 'kept' } : { outcome: 'removed', resource };
  });
}

/** Removes a row that is a leaf. */
export async function removeLeaf(sql: Sql, command: LeafCommand): Promise<LeafOutcome> {
  const [outcome] = await removeLeaves(sql, [command]);
  return outcome ?? { outcome: 'kept' };
}

/** Removals of leaves; concurrent ones share a statement. */
export function removeLeafBatched(statements: Statements): (command: LeafCommand) => Promise<LeafOutcome> {
  return coalesceWrites(statements, {
    keyOf: (command: LeafCommand) => locate(command.ref).shape,
    bytesOf: () => 0,
    run: removeLeaves,
    runAlone: removeLeaf,
  });
}

/**
 *   input --> target --> locked --> leaf --> removed
 *
 * `FOR UPDATE` blocks transactions that create below the row or refer to it. One that was committed after the snapshot of the statement and
 * before the lock is found by `has_dependents`, which looks when the lock is held. No lock is waited for, so two batches cannot block each other.
 */
function textOf(table: string, located: Located): string {
  return `
    with input as materialized (
      select input.*, ${isCurrent('definition_uid', 'version')} as current from ${table} as input
    ),
    target as materialized (
      select input.*, found.uid, found.held, row_number() over (partition by found.uid order by place) as turn
      from input left join lateral (
        select r.uid, ${holdCascades('r')} as held from resources r
        where input.current and ${located.condition(locatedOperand('input'))} offset 0
      ) as found on true
    ),
    locked as materialized (
      select ${storedColumnsOf('r')}, r.deletion_protected from resources r
      where r.uid = any(array(select uid from target where turn = 1 and held is not null))
      order by r.uid for update skip locked
    ),
    leaf as materialized (
      select locked.uid, target.place, target.change from locked join target using (uid)
      where turn = 1 and locked.finalizers = '{}' and ${isLive('locked')} and not ${isProtected('locked')}
        and not has_dependents(locked.uid)
    ),
    told as materialized (
      select ${tellRemovals('uid', 'change', 'place')} as removals from leaf
    ),
    removed as (
      delete from resources r using leaf where r.uid = leaf.uid and (select removals is not null from told)
      returning ${storedColumnsOf('r')}, leaf.place
    )
    select ${columnsOf('removed')} from target left join removed using (place) order by place`;
}
