import type { LockWaitPolicy } from '@platform/postgres';
import { type CreateCommand, groupOf, type OwnerReference } from '@platform/resources';
import { admittedCollection } from '../access/guard.ts';
import { changeInput } from './change.ts';
import {
  definitionInput,
  guardInput,
  type Input,
  type InputColumn,
  inputOf,
  writtenColumns,
} from './input.ts';
import { isLive } from './pending-cascades.ts';

/** An owner of a row that is created: the number of the command from 1 on, and its index among the owners of the command. */
export interface CommandOwner {
  readonly item: number;
  readonly index: number;
  readonly owner: OwnerReference;
}

/** The statement that creates rows, and its parameters. */
export interface CreateStatement {
  readonly text: string;
  readonly input: Input<CreateCommand>;
  /** Given only when a command has owners. */
  readonly owners: Input<CommandOwner>;
}

const created = writtenColumns<CreateCommand>('created');
const createdNames = created.map(({ name }) => name).join(', ');

const statements = new Map<string, CreateStatement>();

/** Common to creates that share a statement. */
interface CreateShape {
  /** Whether one of them has owner references. */
  readonly owned: boolean;
  /** Whether bindings restrict their callers. */
  readonly guarded: boolean;
}

/** The statement for rows with `depth` ancestors. */
export function createStatement(
  depth: number,
  policy: LockWaitPolicy,
  { owned, guarded }: CreateShape,
): CreateStatement {
  const key = `${depth} ${policy} ${owned} ${guarded}`;
  const statement = statements.get(key) ?? build(depth, policy, { owned, guarded });
  statements.set(key, statement);
  return statement;
}

function build(depth: number, policy: LockWaitPolicy, { owned, guarded }: CreateShape): CreateStatement {
  const steps = Array.from({ length: depth }, (_, index) => stepColumns(index)).flat();
  const input = inputOf<CreateCommand>([
    ...definitionInput,
    changeInput,
    ...created,
    ...steps,
    ...(guarded ? guardInput : []),
  ]);
  const owners = inputOf<CommandOwner>(ownerColumns, input.count);
  return {
    text: textOf(depth, policy === 'skip', { owned, guarded }, input.table, owners.table),
    input,
    owners,
  };
}

/** The path of the parent, one step for each ancestor. */
function stepColumns(index: number): readonly InputColumn<CreateCommand>[] {
  const step = ({ collection }: CreateCommand) => collection.ancestors[index];
  return [
    { name: `group${index + 1}`, value: (command) => step(command)?.group ?? '' },
    { name: `kind${index + 1}`, value: (command) => step(command)?.kind ?? '' },
    { name: `name${index + 1}`, value: (command) => step(command)?.name ?? '' },
  ];
}

const ownerColumns: readonly InputColumn<CommandOwner>[] = [
  { name: 'item', type: 'bigint', value: ({ item }) => item },
  { name: 'index', type: 'int', value: ({ index }) => index },
  { name: 'uid', type: 'uuid', value: ({ owner }) => owner.uid },
  { name: 'api_group', value: ({ owner }) => groupOf(owner.apiVersion) },
  { name: 'kind', value: ({ owner }) => owner.kind },
  { name: 'name', value: ({ owner }) => owner.name },
];

/**
 * Set-based, so that concurrent creates commit together; the plan is index look-ups in nested loops from lists of a few rows.
 *
 *   input --> placed --> locked --> checked --> inserted
 *
 * One statement, so one snapshot, and locks on the definition, the parent and the owners before anything is inserted. A lock that
 * had to be waited for shows the row as it is then, not as the snapshot has it: that is what makes a create refuse whose parent was
 * tombstoned while it waited. Higher ancestors are checked in the snapshot; when one is tombstoned concurrently, its cascade has
 * marked the parent already, or the collector reaches it later.
 */
function textOf(
  depth: number,
  skip: boolean,
  { owned, guarded }: CreateShape,
  input: string,
  owners: string,
): string {
  const levels = Array.from({ length: depth }, (_, index) => index + 1);
  const below = depth > 0;
  return `
    with input as materialized (
      select * from ${input} as input ${skip ? `where (select ${shortLockTimeout}) is not null` : ''}
    ),
    -- Where each would go, by the snapshot. The version of the definition is compared again below, with the row that the lock shows.
    placed as materialized (
      select input.*, ${below ? `a${depth}.uid` : 'null::uuid'} as parent_uid,
        array[${levels.map((level) => `a${level}.uid`).join(', ')}]::uuid[] as ancestor_uids, definition.uid is not null as definition_seen,
        ${below ? `case ${levels.map(terminatingLevel).join(' ')} end` : 'null::text'} as terminating,
        definition_uid is not null and definition.definition_version is distinct from input.version as moved
      from input
      left join resources as definition on definition.uid = input.definition_uid ${levels.map(joinLevel).join(' ')}
    ),
    ${owned ? `owner as materialized (select * from ${owners} as owner),` : ''}
    -- In uid order, like every other transaction that locks several rows, so that two never wait for each other.
    locked as materialized (
      select r.uid, r.api_group, r.kind, r.name, r.definition_version, ${isLive('r')} as live from resources r
      where r.uid = any(array(
        select definition_uid from placed where not moved
        ${below ? 'union select parent_uid from placed where not moved' : ''}
        ${owned ? 'union select owner.uid from owner join placed on placed.place = owner.item where not moved' : ''}))
      order by r.uid for key share ${skip ? 'skip locked' : ''}
    ),
    ${owned ? refusedOwners : ''}
    checked as materialized (
      select placed.*, ${owned ? refusedIndexes : `'{}'::int[]`} as refused,
        case
          when moved then 'stale'
          ${guarded ? `when not ${admittedCollection('ancestor_uids', 'access_version', 'access_scopes')} then 'ancestorMissing'` : ''}
          ${below ? `when parent_uid is null then 'ancestorMissing'` : ''}
          when terminating is not null then 'ancestorTerminating'
          ${skip ? `when ${unseen(below, owned)} then 'busy'` : ''}
          ${
            below
              ? `when parent.uid is null then 'ancestorMissing'
          when not parent.live then 'ancestorTerminating'`
              : ''
          }
          when definition_uid is not null and (definition.uid is null or not definition.live)
            then 'definitionTerminating'
          when definition.definition_version <> version then 'stale'
        end as refusal
      from placed
      left join locked as definition on definition.uid = definition_uid
      ${below ? 'left join locked as parent on parent.uid = parent_uid' : ''}
    ),
    inserted as (
      insert into resources (parent_uid, ancestor_uids, ${createdNames}, written, written_revision)
      select parent_uid, ancestor_uids, ${createdNames}, change, 1 from checked where refusal is null and refused = '{}'
      -- Two statements that insert the same names wait for each other's in the same order.
      order by parent_uid, kind, name
      on conflict do nothing
      returning uid, created_at
    )
    select refusal, ${below ? `coalesce(terminating, name${depth})` : 'null::text'}, refused::text, ancestor_uids::text, created_at
    from checked left join inserted using (uid) order by place`;
}

/**
 * An insert waits for a transaction that has inserted or deleted the same name and not ended yet; `skip locked` has no say in that.
 * So a batch does not wait long: its innocent ones then go on alone. Set for this statement, which is its own transaction.
 */
const shortLockTimeout = `set_config('lock_timeout', '200ms', true)`;

function joinLevel(level: number): string {
  return `
      left join lateral (
        select r.uid, ${isLive('r')} as live from resources r where r.parent_uid ${level === 1 ? 'is null' : `= a${level - 1}.uid`}
          and r.api_group = input.group${level} and r.kind = input.kind${level} and r.name = input.name${level}
        offset 0
      ) as a${level} on true`;
}

function terminatingLevel(level: number): string {
  return `when not a${level}.live then input.name${level}`;
}

const refusedOwners = `refused_owner as materialized (
      select owner.item, owner.index, held.uid is null as unseen from owner left join locked as held on held.uid = owner.uid
      where held.uid is null or not held.live
        or (held.api_group, held.kind, held.name) is distinct from (owner.api_group, owner.kind, owner.name)
    ),`;

const refusedIndexes = `
        array(select index from refused_owner where refused_owner.item = placed.place order by index)`;

/** A row that the create depends on is in the snapshot, but its lock was not available at once. */
function unseen(below: boolean, owned: boolean): string {
  return [
    '(definition_seen and definition.uid is null)',
    ...(below ? ['parent.uid is null'] : []),
    ...(owned
      ? ['exists (select from refused_owner where refused_owner.item = placed.place and unseen)']
      : []),
  ].join(' or ');
}
