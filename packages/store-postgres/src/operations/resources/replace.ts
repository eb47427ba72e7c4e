import { coalesceWrites, type LockWaitPolicy, type Sql, type Statements } from '@platform/postgres';
import { type ReplaceCommand, type ReplaceOutcome, StaleDefinitions } from '@platform/resources';
import { changeAssignments, changeInput } from './change.ts';
import { definitionInput, inputOf, writtenColumns } from './input.ts';
import { revisionOf } from './pending-cascades.ts';
import { columnsOf, maybeResource, resourceWidth, storedColumnsOf } from './row.ts';

const written = writtenColumns<ReplaceCommand>('replaced');

/** The input of every statement that replaces rows. */
export const replaceInput = inputOf<ReplaceCommand>([
  { name: 'uid', type: 'uuid', value: ({ uid }) => uid },
  { name: 'expected_revision', type: 'bigint', value: ({ revision }) => revision },
  { name: 'generations', type: 'int', value: ({ specChanged }) => (specChanged ? 1 : 0) },
  ...definitionInput,
  changeInput,
  ...written,
]);

/** The assignments, from the input in the table `source`. */
export function replaceAssignments(source: string): string {
  const each = written.map(({ name }) => `${name} = ${source}.${name}`);
  return `${each.join(', ')}, ${changeAssignments(`${source}.change`)}, generation = r.generation + ${source}.generations, revision = ${revisionOf('r')} + 1, updated_at = now()`;
}

/**
 * Replaces rows that gain no owner, in one statement; a row that is named twice is replaced once. With `skip`, null for a command that
 * would have to wait, and for one with any other outcome: each then runs alone with `wait`.
 */
async function replaceMany(
  sql: Sql,
  commands: readonly ReplaceCommand[],
  policy: LockWaitPolicy,
): Promise<readonly (ReplaceOutcome | null)[]> {
  const rows = await sql.rows(texts[policy], replaceInput.parameters(commands));
  return rows.map((row) => {
    const resource = maybeResource(row);
    if (resource !== null) return { outcome: 'replaced', resource };
    if (policy === 'skip') return null;
    const [admitted, currentRevision] = row.slice(resourceWidth) as [boolean, number | null];
    if (!admitted) throw new StaleDefinitions();
    return currentRevision === null
      ? { outcome: 'missing' }
      : { outcome: 'revisionMismatch', currentRevision };
  });
}

/** Replaces a row that gains no owner, and waits for the locks. */
export async function replaceRow(sql: Sql, command: ReplaceCommand): Promise<ReplaceOutcome> {
  const [outcome] = await replaceMany(sql, [command], 'wait');
  return outcome ?? { outcome: 'missing' };
}

/** Replacements that gain no owner; concurrent ones share a statement. */
export function replaceBatched(statements: Statements): (command: ReplaceCommand) => Promise<ReplaceOutcome> {
  return coalesceWrites(statements, {
    keyOf: () => 'replace',
    bytesOf: ({ metadata, spec }) => metadata.length + spec.length,
    run: (sql, commands) => replaceMany(sql, commands, 'skip'),
    runAlone: replaceRow,
  });
}

/**
 * Definitions are locked first, then the rows in uid order. A lock that was waited for shows the row as it is then: a definition that
 * changed during the wait is stale, and the revision is compared with the latest one.
 */
const textOf = (locking: string) => `
  with input as materialized (
    select *, row_number() over (partition by uid order by place) as turn from ${replaceInput.table} as input
  ),
  definition as materialized (
    select d.uid, d.definition_version from resources d where d.uid = any(array(select definition_uid from input))
    order by d.uid for key share ${locking}
  ),
  admitted as materialized (
    select input.* from input
    where turn = 1 and (definition_uid is null or exists (
      select from definition where definition.uid = input.definition_uid and definition_version = input.version))
  ),
  locked as materialized (
    select r.uid, ${revisionOf('r')} as revision from resources r where r.uid = any(array(select uid from admitted))
    order by r.uid for no key update ${locking}
  ),
  replaced as (
    update resources r set ${replaceAssignments('admitted')}
    from admitted join locked on locked.uid = admitted.uid
    where r.uid = admitted.uid and locked.revision = admitted.expected_revision
    returning ${storedColumnsOf('r')}, admitted.place
  )
  select ${columnsOf('replaced')}, admitted.place is not null, locked.revision
  from input left join replaced using (place) left join admitted using (place) left join locked on locked.uid = admitted.uid
  order by place`;

const texts = { wait: textOf(''), skip: textOf('skip locked') };
