import type { CreateCommand, CreateOutcome, OwnerReference } from '@platform/resources';
import { emptyStatus, groupOf } from '@platform/resources';
import type { Parameter, Sql } from '../../connection.ts';
import { arrayLiteral } from '../../literals.ts';
import { stepParameters, textPer } from './locate.ts';
import { ownerFaults } from './owner-faults.ts';

/**
 * What became of one create of a statement: its outcome, or
 * `conflict`: a row with its name or its discriminator is in the way, which one the statement cannot always see;
 * `busy`: something it depends on is being deleted or changed at this moment.
 */
export type CreateAttempt =
  | CreateOutcome
  | { readonly outcome: 'conflict'; readonly parentUid: string | null }
  | { readonly outcome: 'busy' };

/** Whether locks are waited for, or a create that would have to wait is given back as `busy`. */
export type LockMode = 'wait' | 'skip';

type Row = readonly [
  refusal:
    | 'catalogMoved'
    | 'ancestorMissing'
    | 'ancestorTerminating'
    | 'definitionTerminating'
    | 'busy'
    | null,
  terminating: string | null,
  refusedOwners: string,
  parentUid: string | null,
  createdAt: string | null,
];

/**
 * Inserts rows of one depth in one statement, each under its own parent and by its own rules; refused ones are left out.
 *
 * One statement, so one snapshot, and locks on the definition, the parent and the owners, taken in uid order before anything is
 * inserted. A lock that had to be waited for shows the row as it is then, not as the snapshot has it: that is what makes a create refuse
 * whose parent was tombstoned while it waited. Higher ancestors are judged by the snapshot; should one be tombstoned at this
 * moment, its cascade has stamped the parent already, or the collector will come down to it.
 */
export async function createMany(
  sql: Sql,
  commands: readonly CreateCommand[],
  mode: LockMode,
): Promise<readonly CreateAttempt[]> {
  const depth = commands[0]?.collection.ancestors.length ?? 0;
  const text = mode === 'wait' ? waitingText(depth) : skippingText(depth);
  const rows = await sql.rows<Row>(text, parametersOf(commands, depth));
  return commands.map((command, index) => attemptOf(command, rows[index]));
}

function attemptOf(command: CreateCommand, row: Row | undefined): CreateAttempt {
  if (row === undefined) throw new Error('the create statement lost a command');
  const [refusal, terminating, refusedOwners, parentUid, createdAt] = row;
  if (refusal === 'ancestorTerminating') return { outcome: refusal, name: terminating ?? '' };
  if (refusal !== null) return { outcome: refusal };
  if (refusedOwners !== '{}') return ownerFaults(command.ownerReferences, refusedOwners);
  if (createdAt === null) return { outcome: 'conflict', parentUid };
  return {
    outcome: 'created',
    resource: {
      uid: command.uid,
      apiVersion: command.apiVersion,
      kind: command.collection.kind,
      parentUid,
      name: command.name,
      discriminator: command.discriminator,
      metadata: command.metadata,
      spec: command.spec,
      status: emptyStatus,
      revision: 1,
      generation: 1,
      finalizers: command.finalizers,
      ownerReferences: command.ownerReferences,
      deletionTimestamp: null,
      creationTimestamp: createdAt,
    },
  };
}

function parametersOf(commands: readonly CreateCommand[], depth: number): Parameter[] {
  const column = (value: (command: CreateCommand) => string | number | null) =>
    arrayLiteral(commands.map(value));
  const owners = commands.flatMap((command, place) =>
    command.ownerReferences.map((owner, index) => ({ place: place + 1, index, owner })),
  );
  const ofOwners = (value: (owner: OwnerReference) => string) =>
    arrayLiteral(owners.map((each) => value(each.owner)));
  const steps = commands.map((command) => stepParameters(command.collection.ancestors) as string[]);
  return [
    column((command) => command.epoch),
    column((command) => command.definitionUid),
    column((command) => command.uid),
    column((command) => command.apiVersion),
    column((command) => command.collection.kind),
    column((command) => command.name),
    column((command) => command.discriminator),
    column((command) => command.metadata),
    column((command) => command.spec),
    column((command) => arrayLiteral(command.finalizers)),
    column((command) =>
      command.ownerReferences.length === 0 ? '[]' : JSON.stringify(command.ownerReferences),
    ),
    arrayLiteral(owners.map((each) => each.place)),
    arrayLiteral(owners.map((each) => each.index)),
    ofOwners((owner) => owner.uid),
    ofOwners((owner) => groupOf(owner.apiVersion)),
    ofOwners((owner) => owner.kind),
    ofOwners((owner) => owner.name),
    ...Array.from({ length: 3 * depth }, (_, index) => arrayLiteral(steps.map((each) => each[index] ?? ''))),
  ];
}

const firstStep = 18;
const waitingText = textPer((depth: number) => textOf(depth, ''));
const skippingText = textPer((depth: number) => textOf(depth, 'skip locked'));

function textOf(depth: number, locking: string): string {
  const levels = Array.from({ length: depth }, (_, index) => index + 1);
  const stepNames = levels.flatMap((level) => [`group${level}`, `kind${level}`, `name${level}`]);
  const stepArrays = stepNames.map((_, index) => `, $${firstStep + index}::text[]`).join('');
  const joins = levels.map(
    (level) => `
      left join lateral (
        select uid, deletion_timestamp from resources where parent_uid ${level === 1 ? 'is null' : `= a${level - 1}.uid`}
          and api_group = input.group${level} and kind = input.kind${level} and name = input.name${level}
      ) as a${level} on true`,
  );
  const terminating = levels.map(
    (level) => `when a${level}.deletion_timestamp is not null then input.name${level}`,
  );
  const parent = depth === 0 ? 'null::uuid' : `a${depth}.uid`;
  return `
    with catalog as materialized (select epoch from catalog_epoch where singleton),
    input as materialized (
      select * from unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::text[], $10::text[], $11::text[]${stepArrays}) with ordinality
      as i(epoch, definition_uid, uid, api_version, kind, name, discriminator, metadata, spec, finalizers, owner_references${stepNames
        .map((name) => `, ${name}`)
        .join('')}, place)
    ),
    -- Where each would go. The definition's generation grows when its spec changes: compared below with what the lock shows.
    placed as materialized (
      select input.*, ${parent} as parent_uid, definition.generation as definition_generation,
        ${terminating.length === 0 ? 'null::text' : `case ${terminating.join(' ')} end`} as terminating,
        input.epoch <> (select epoch from catalog) as moved
      from input
      left join resources as definition on definition.uid = input.definition_uid${joins.join('')}
    ),
    owner as materialized (
      select * from unnest($12::bigint[], $13::int[], $14::uuid[], $15::text[], $16::text[], $17::text[])
        as o(place, index, uid, api_group, kind, name)
    ),
    -- In uid order, like every other transaction that locks several rows, so that two never wait for each other.
    locked as materialized (
      select r.uid, r.api_group, r.kind, r.name, r.generation, r.deletion_timestamp from resources r
      where r.uid = any(array(
        select definition_uid from placed where moved is not true
        union select parent_uid from placed where moved is not true
        union select owner.uid from owner join placed using (place) where moved is not true))
      order by r.uid for key share ${locking}
    ),
    refused_owner as materialized (
      select owner.place, owner.index, held.uid is null as unseen from owner left join locked as held on held.uid = owner.uid
      where held.uid is null or held.deletion_timestamp is not null
        or (held.api_group, held.kind, held.name) is distinct from (owner.api_group, owner.kind, owner.name)
    ),
    judged as materialized (
      select placed.*, array(select index from refused_owner where refused_owner.place = placed.place order by index) as refused,
        case
          when moved then 'catalogMoved'
          ${depth === 0 ? '' : `when parent_uid is null then 'ancestorMissing'`}
          when terminating is not null then 'ancestorTerminating'
          ${
            locking === ''
              ? ''
              : `
          when (definition_generation is not null and definition.uid is null) or (parent_uid is not null and parent.uid is null)
            or exists (select from refused_owner where refused_owner.place = placed.place and unseen) then 'busy'`
          }
          ${
            depth === 0
              ? ''
              : `
          when parent.uid is null then 'ancestorMissing'
          when parent.deletion_timestamp is not null then 'ancestorTerminating'`
          }
          when definition_uid is not null and (definition.uid is null or definition.deletion_timestamp is not null)
            then 'definitionTerminating'
          when definition.generation <> definition_generation then 'catalogMoved'
        end as refusal
      from placed
      left join locked as definition on definition.uid = definition_uid
      left join locked as parent on parent.uid = parent_uid
    ),
    inserted as (
      insert into resources
        (uid, parent_uid, api_version, kind, name, discriminator, metadata, spec, finalizers, owner_references)
      select uid, parent_uid, api_version, kind, name, discriminator, metadata::json, spec::json, finalizers::text[],
        owner_references::jsonb
      from judged where refusal is null and refused = '{}'
      -- Two statements that insert the same names wait for each other's in the same order.
      order by parent_uid, kind, name
      on conflict do nothing
      returning uid, created_at
    )
    select refusal, ${depth === 0 ? 'null::text' : `coalesce(terminating, name${depth})`}, refused::text, parent_uid, created_at
    from judged left join inserted using (uid) order by place`;
}
