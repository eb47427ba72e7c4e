import type { Sql } from '@platform/postgres';
import { type DefinitionVersion, type ResourceRef, StaleDefinitions } from '@platform/resources';
import { definitionTable, versionParameters } from './current-definition.ts';
import { locate, oncePerShape, parametersFrom } from './locate.ts';
import { heldRevisionOf } from './pending-cascades.ts';

/** Locks a row against other writes; its uid and revision as they are then, or null when there is none. Inside a transaction. */
export async function lockRow(
  sql: Sql,
  ref: ResourceRef,
  definition: DefinitionVersion,
): Promise<{ readonly uid: string; readonly revision: number } | null> {
  const located = locate(ref);
  const rows = await sql.rows<readonly [boolean, string | null, number]>(textOf(located), [
    ...versionParameters(definition),
    ...located.parameters,
  ]);
  const [isCurrent, uid, revision] = rows[0] ?? [false, null, 0];
  if (!isCurrent) throw new StaleDefinitions();
  return uid === null ? null : { uid, revision };
}

const textOf = oncePerShape(
  (located) => `
    with ${definitionTable(1)},
    locked as materialized (
      select r.uid, ${heldRevisionOf('r')} as revision from resources r
      where (select is_current from definition) and ${located.condition(parametersFrom(3))} for no key update
    )
    select definition.is_current, locked.uid, locked.revision from definition left join locked on true`,
);
