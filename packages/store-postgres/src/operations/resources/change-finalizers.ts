import { arrayLiteral, coalesceWrites, type Sql, type Statements } from '@platform/postgres';
import { cascadeFinalizer, type FinalizersCommand, type SubresourceOutcome } from '@platform/resources';
import { locate } from './locate.ts';
import { locatedWrite } from './located-write.ts';

// SQL of two arrays: the finalizers that stay, and those that are appended; both keep their order.
const kept = `array(
      select name from unnest(locked.finalizers) with ordinality as f(name, place)
      where name <> all (target.removed) order by place)`;
const added = `array(
      select name from unnest(target.added) with ordinality as f(name, place)
      where name <> all (array(select unnest(locked.finalizers) except select unnest(target.removed))) order by place)`;

/** Adds and removes finalizers of each row. */
export const changeFinalizersOfMany = locatedWrite<FinalizersCommand>({
  input: [
    { name: 'removed', type: 'text[]', value: ({ remove }) => arrayLiteral(remove) },
    { name: 'added', type: 'text[]', value: ({ add }) => arrayLiteral([...new Set(add)]) },
    { name: 'most', type: 'int', value: ({ limit }) => limit },
  ],
  refusal: 'tooManyFinalizers',
  computed: `
    ${kept} || ${added} <> locked.finalizers as wanted,
    cardinality(${added}) > 0 and cardinality(array_remove(${kept}, '${cascadeFinalizer}')) + cardinality(${added}) > target.most
      as refused,
    ${kept} || ${added} as finalizers`,
  assignments: 'finalizers = computed.finalizers',
});

/** Adds and removes finalizers of the latest row, and waits for its lock. */
export async function changeFinalizers(sql: Sql, command: FinalizersCommand): Promise<SubresourceOutcome> {
  const [outcome] = await changeFinalizersOfMany(sql, [command], 'wait');
  return outcome ?? { outcome: 'missing' };
}

/** Changes of finalizers; concurrent ones share a statement. */
export function changeFinalizersBatched(
  statements: Statements,
): (command: FinalizersCommand) => Promise<SubresourceOutcome> {
  return coalesceWrites(statements, {
    keyOf: (command: FinalizersCommand) => locate(command.ref).shape,
    bytesOf: ({ add, remove }) => lengthOf(add) + lengthOf(remove),
    run: (sql, commands) => changeFinalizersOfMany(sql, commands, 'skip'),
    runAlone: changeFinalizers,
  });
}

function lengthOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + name.length, 0);
}
