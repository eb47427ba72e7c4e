import type { LockWaitPolicy, Sql } from '@platform/postgres';
import {
  type Attributed,
  type DefinitionVersion,
  type ResourceRef,
  StaleDefinitions,
  type SubresourceOutcome,
} from '@platform/resources';
import { changeAssignments, changeInput } from './change.ts';
import { isCurrent } from './current-definition.ts';
import { definitionInput, type InputColumn, inputOf, locatedInput, locatedOperand } from './input.ts';
import { type Located, locate, oncePerShape } from './locate.ts';
import { revisionOf } from './pending-cascades.ts';
import { columnsOf, maybeResource, resourceWidth, storedColumnsOf } from './row.ts';

/** Common to all writes to a row that a reference names. */
interface LocatedCommand extends Attributed {
  readonly definition: DefinitionVersion;
  readonly ref: ResourceRef;
}

/** A write to one row each, in SQL. The tables are `target` (the input) and `locked` (the row as it is under the lock). */
export interface LocatedWrite<Command> {
  readonly input: readonly InputColumn<Command>[];
  /** The outcome of a write that is refused. */
  readonly refusal: Exclude<SubresourceOutcome['outcome'], 'written' | 'missing'>;
  /** Columns that are computed for each row: `wanted`, whether it changes, and `refused`, whether the write is refused. */
  readonly computed: string;
  /** The assignments, from the table `computed`. */
  readonly assignments: string;
}

/** The outcome of a write: null when its row could not be locked without waiting, or may have another outcome after waiting. */
type Attempt = SubresourceOutcome | null;

/** Writes to rows that references of one shape name, in one statement; each row is written by one command at most. */
export type WriteMany<Command> = (
  sql: Sql,
  commands: readonly Command[],
  policy: LockWaitPolicy,
) => Promise<readonly Attempt[]>;

/**
 * Composes the statement of a write to located rows.
 *
 *   input --> target --> locked --> computed --> written
 *
 * Rows are locked in uid order before they are written, so that two batches cannot block each other; after a wait `locked` has the row as
 * it is then. With `skip`, rows that are locked, missing or resolved with an earlier definition come back as null, as does the second
 * command for a row: each then runs alone with `wait`.
 */
export function locatedWrite<Command extends LocatedCommand>(
  write: LocatedWrite<Command>,
): WriteMany<Command> {
  const statementFor = (locking: string) =>
    oncePerShape((located) => {
      const input = inputOf<Command & { readonly located: Located }>([
        ...definitionInput,
        changeInput,
        ...write.input,
        ...locatedInput(located),
      ]);
      return { input, text: textOf(input.table, located, write, locking) };
    });
  const statements = { wait: statementFor(''), skip: statementFor('skip locked') };
  return async (sql, commands, policy) => {
    const items = commands.map((command) => ({ ...command, located: locate(command.ref) }));
    const [first] = items;
    if (first === undefined) return [];
    const { input, text } = statements[policy](first.located);
    const rows = await sql.rows(text, input.parameters(items));
    return rows.map((row) => attemptOf(row, policy, write.refusal));
  };
}

function attemptOf(
  row: readonly unknown[],
  policy: LockWaitPolicy,
  refusal: LocatedWrite<never>['refusal'],
): Attempt {
  const resource = maybeResource(row);
  const [current, changed, refused] = row.slice(resourceWidth);
  if (resource === null && policy === 'skip') return null;
  if (!current) throw new StaleDefinitions();
  if (resource === null) return { outcome: 'missing' };
  return refused ? { outcome: refusal } : { outcome: 'written', resource, changed: changed === true };
}

// Offset 0: as in get-many.ts.
function textOf(
  table: string,
  located: Located,
  { computed, assignments }: Pick<LocatedWrite<never>, 'computed' | 'assignments'>,
  locking: string,
): string {
  return `
    with input as materialized (
      select input.*, ${isCurrent('definition_uid', 'version')} as current from ${table} as input
    ),
    target as materialized (
      select input.*, found.uid, row_number() over (partition by found.uid order by place) as turn
      from input left join lateral (
        select r.uid from resources r where input.current and ${located.condition(locatedOperand('input'))} offset 0
      ) as found on true
    ),
    locked as materialized (
      select ${storedColumnsOf('r')} from resources r
      where r.uid = any(array(select uid from target where turn = 1 and uid is not null))
      order by r.uid for no key update ${locking}
    ),
    computed as materialized (
      select target.place, locked.uid, target.change, ${computed} from target join locked using (uid) where turn = 1
    ),
    written as (
      update resources r set ${assignments}, ${changeAssignments('computed.change')}, revision = ${revisionOf('r')} + 1, updated_at = now()
      from computed where r.uid = computed.uid and computed.wanted and not computed.refused
      returning ${storedColumnsOf('r')}, computed.place
    ),
    latest as (
      select written.*, true as changed, false as refused from written
      union all
      select locked.*, computed.place, false, computed.refused from computed join locked using (uid)
      where not computed.wanted or computed.refused
    )
    select ${columnsOf('latest')}, target.current, latest.changed, latest.refused
    from target left join latest using (place) order by place`;
}
