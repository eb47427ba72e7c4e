import { arrayLiteral, type Parameter } from '@platform/postgres';
import {
  type CollectionRef,
  type DefinitionVersion,
  isUnrestricted,
  type PathStep,
  scopesOf,
} from '@platform/resources';
import { columns, members } from './columns.ts';
import type { Located } from './locate.ts';

/** A column of the rows that a statement is given, one for each command or request. */
export interface InputColumn<Item> {
  readonly name: string;
  /** The SQL type that its values are cast to; `text` unless told. */
  readonly type?: string;
  readonly value: (item: Item) => string | number | null;
}

/** The rows that a set-based statement is given: its parameters, and the SQL that makes a table of them. */
export interface Input<Item> {
  /** SQL of a table with the columns and `place`, the number of the item from 1 on. */
  readonly table: string;
  /** How many parameters it takes. */
  readonly count: number;
  /** One array for each column. */
  parameters(items: readonly Item[]): readonly Parameter[];
}

/** Declares the rows that a statement is given; `after` is the number of parameters in front of them. */
export function inputOf<Item>(declared: readonly InputColumn<Item>[], after = 0): Input<Item> {
  const names = declared.map(({ name }) => name);
  const arrays = declared.map((_, index) => `$${after + index + 1}::text[]`);
  const casts = declared.map(({ name, type = 'text' }) => `given.${name}::${type} as ${name}`);
  return {
    table: `(
      select ${casts.join(', ')}, given.place
      from unnest(${arrays.join(', ')}) with ordinality as given(${names.join(', ')}, place))`,
    count: declared.length,
    parameters: (items) => declared.map(({ value }) => arrayLiteral(items.map(value))),
  };
}

/** The definition that a request was resolved with, and its version then; null twice without one. */
export const definitionInput: readonly InputColumn<{ readonly definition: DefinitionVersion }>[] = [
  { name: 'definition_uid', type: 'uuid', value: ({ definition }) => definition?.uid ?? null },
  { name: 'version', type: 'uuid', value: ({ definition }) => definition?.version ?? null },
];

/** The guard of a collection, for statements whose requests have one; a null among the scopes is a guard without restrictions. */
export const guardInput: readonly InputColumn<{ readonly collection: CollectionRef }>[] = [
  { name: 'access_version', type: 'uuid', value: ({ collection }) => collection.access?.version ?? null },
  {
    name: 'access_scopes',
    type: 'uuid[]',
    value: ({ collection: { access } }) =>
      arrayLiteral(access === undefined ? [] : isUnrestricted(access) ? [null] : scopesOf(access)),
  },
];

/** The columns that the condition of references of one shape compares; {@link locatedOperand} names the columns. */
export function locatedInput({ parameters }: Located): readonly InputColumn<{ readonly located: Located }>[] {
  return parameters.map((_, index) => ({
    name: `located${index}`,
    value: ({ located }) => located.parameters[index] as string,
  }));
}

/** As {@link locatedInput}, for a path of `depth` steps: group, kind and name of each. */
export function stepInput<Item>(
  depth: number,
  stepsOf: (item: Item) => readonly PathStep[],
): readonly InputColumn<Item>[] {
  return Array.from({ length: depth }, (_, index) => {
    const step = (item: Item) => stepsOf(item)[index];
    return [
      { name: `located${3 * index}`, value: (item: Item) => step(item)?.group ?? '' },
      { name: `located${3 * index + 1}`, value: (item: Item) => step(item)?.kind ?? '' },
      { name: `located${3 * index + 2}`, value: (item: Item) => step(item)?.name ?? '' },
    ];
  }).flat();
}

/** SQL for the columns of {@link locatedInput} in the table that the statement calls `alias`. */
export function locatedOperand(alias: string): (index: number) => string {
  return (index) => `${alias}.located${index}`;
}

/** The columns that a kind of write sets, in the order of the table: their names, types and values. */
export function writtenColumns<Command>(
  write: 'created' | 'replaced',
): readonly Required<InputColumn<Command>>[] {
  return members.flatMap((member) => {
    const { name, type, [write]: value } = columns[member];
    return value === undefined ? [] : [{ name, type, value: value as (command: unknown) => string }];
  });
}
