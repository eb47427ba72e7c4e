/** Whether locks are waited for, or a create that would have to wait is given back as `busy`. */
export type LockMode = 'wait' | 'skip';

const texts = new Map<string, string>();

/** The create statement for rows with `depth` ancestors; `owned` when one of them has owner references. */
export function createText(depth: number, mode: LockMode, owned: boolean): string {
  const key = `${depth} ${mode} ${owned}`;
  let text = texts.get(key);
  if (text === undefined) {
    text = build(depth, mode === 'skip', owned);
    texts.set(key, text);
  }
  return text;
}

/**
 * Set-based, so that creates of the same moment commit together; the plan is index look-ups in nested loops from lists of a few rows.
 *
 *   input --> placed --> locked --> judged --> inserted
 *
 * One statement, so one snapshot, and locks on the definition, the parent and the owners before anything is inserted. A lock that
 * had to be waited for shows the row as it is then, not as the snapshot has it: that is what makes a create refuse whose parent was
 * tombstoned while it waited. Higher ancestors are judged by the snapshot; should one be tombstoned at this moment, its cascade has
 * stamped the parent already, or the collector will come down to it.
 */
function build(depth: number, skip: boolean, owned: boolean): string {
  const levels = Array.from({ length: depth }, (_, index) => index + 1);
  const stepNames = levels.flatMap((level) => [`group${level}`, `kind${level}`, `name${level}`]);
  const below = depth > 0;
  return `
    with input as materialized (
      select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::text[], $10::text[], $11::text[]${stepNames.map((_, index) => `, $${12 + index}::text[]`).join('')}) with ordinality
      as i(definition_uid, version, uid, api_version, kind, name, discriminator, metadata, spec, finalizers, owner_references${stepNames
        .map((name) => `, ${name}`)
        .join('')}, place)
      ${skip ? `where (select ${impatience}) is not null` : ''}
    ),
    -- Where each would go, by the snapshot. The version of the definition is compared again below, with the row that the lock shows.
    placed as materialized (
      select input.*, ${below ? `a${depth}.uid` : 'null::uuid'} as parent_uid, definition.uid is not null as definition_seen,
        ${below ? `case ${levels.map(terminatingLevel).join(' ')} end` : 'null::text'} as terminating,
        definition_uid is not null and definition.definition_version is distinct from input.version as moved
      from input
      left join resources as definition on definition.uid = input.definition_uid ${levels.map(joinLevel).join(' ')}
    ),
    ${owned ? ownersFrom(12 + stepNames.length) : ''}
    -- In uid order, like every other transaction that locks several rows, so that two never wait for each other.
    locked as materialized (
      select r.uid, r.api_group, r.kind, r.name, r.definition_version, r.deletion_timestamp from resources r
      where r.uid = any(array(
        select definition_uid from placed where not moved
        ${below ? 'union select parent_uid from placed where not moved' : ''}
        ${owned ? 'union select owner.uid from owner join placed using (place) where not moved' : ''}))
      order by r.uid for key share ${skip ? 'skip locked' : ''}
    ),
    ${owned ? refusedOwners : ''}
    judged as materialized (
      select placed.*, ${owned ? refusedIndexes : `'{}'::int[]`} as refused,
        case
          when moved then 'stale'
          ${below ? `when parent_uid is null then 'ancestorMissing'` : ''}
          when terminating is not null then 'ancestorTerminating'
          ${skip ? `when ${unseen(below, owned)} then 'busy'` : ''}
          ${
            below
              ? `when parent.uid is null then 'ancestorMissing'
          when parent.deletion_timestamp is not null then 'ancestorTerminating'`
              : ''
          }
          when definition_uid is not null and (definition.uid is null or definition.deletion_timestamp is not null)
            then 'definitionTerminating'
          when definition.definition_version <> version then 'stale'
        end as refusal
      from placed
      left join locked as definition on definition.uid = definition_uid
      ${below ? 'left join locked as parent on parent.uid = parent_uid' : ''}
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
    select refusal, ${below ? `coalesce(terminating, name${depth})` : 'null::text'}, refused::text, parent_uid, created_at
    from judged left join inserted using (uid) order by place`;
}

/**
 * An insert waits for a transaction that has inserted or deleted the same name and not ended yet; `skip locked` has no say in that.
 * So a batch does not wait long: its innocent ones then go on alone. Set for this statement, which is its own transaction.
 */
const impatience = `set_config('lock_timeout', '200ms', true)`;

function joinLevel(level: number): string {
  return `
      left join lateral (
        select uid, deletion_timestamp from resources where parent_uid ${level === 1 ? 'is null' : `= a${level - 1}.uid`}
          and api_group = input.group${level} and kind = input.kind${level} and name = input.name${level}
        offset 0
      ) as a${level} on true`;
}

function terminatingLevel(level: number): string {
  return `when a${level}.deletion_timestamp is not null then input.name${level}`;
}

function ownersFrom(first: number): string {
  const at = (index: number) => `$${first + index}`;
  return `owner as materialized (
      select * from unnest(${at(0)}::bigint[], ${at(1)}::int[], ${at(2)}::uuid[], ${at(3)}::text[], ${at(4)}::text[], ${at(5)}::text[])
        as o(place, index, uid, api_group, kind, name)
    ),`;
}

const refusedOwners = `refused_owner as materialized (
      select owner.place, owner.index, held.uid is null as unseen from owner left join locked as held on held.uid = owner.uid
      where held.uid is null or held.deletion_timestamp is not null
        or (held.api_group, held.kind, held.name) is distinct from (owner.api_group, owner.kind, owner.name)
    ),`;

const refusedIndexes = `
        array(select index from refused_owner where refused_owner.place = placed.place order by index)`;

/** What a create depends on was there in the snapshot, but its lock was not to be had at once. */
function unseen(below: boolean, owned: boolean): string {
  return [
    '(definition_seen and definition.uid is null)',
    ...(below ? ['parent.uid is null'] : []),
    ...(owned
      ? ['exists (select from refused_owner where refused_owner.place = placed.place and unseen)']
      : []),
  ].join(' or ');
}
