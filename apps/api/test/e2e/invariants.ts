import type { TestDatabase } from '@platform/development/testing';

/** Every edge from a row to what it hangs on: its parent and its owners. */
const edges = `
  select uid as dependent, parent_uid as owner, true as structural, true as blocking
    from resources where parent_uid is not null
  union all
  select uid, (reference ->> 'uid')::uuid, false, coalesce((reference ->> 'blockOwnerDeletion')::boolean, false)
    from resources, jsonb_array_elements(owner_references) as reference`;

/** Invariants that hold at any time, as queries for the rows that break them. */
const always: Readonly<Record<string, string>> = {
  'a row whose parent is gone': `
    select child.* from resources child left join resources parent on parent.uid = child.parent_uid
    where child.parent_uid is not null and parent.uid is null`,
  'a cycle over parents and owners': `
    with recursive edge as (${edges}),
    reached (start, uid) as (
      select dependent, owner from edge
      union
      select reached.start, edge.owner from reached join edge on edge.dependent = reached.uid)
    select resources.* from reached join resources on resources.uid = reached.start
    where reached.start = reached.uid`,
  'an instance without its definition, or at a version that is not declared': `
    select instance.* from resources instance
    where split_part(instance.api_version, '/', 1) <> 'platform.dev' and not exists (
      select from resources definition, json_array_elements(definition.spec -> 'versions') as version
      where definition.kind = 'ResourceDefinition' and definition.api_version like 'platform.dev/%'
        and definition.spec ->> 'group' = split_part(instance.api_version, '/', 1)
        and definition.spec ->> 'kind' = instance.kind
        and version ->> 'name' = split_part(instance.api_version, '/', 2))`,
  'a name that two siblings of a kind have': `
    select one.* from resources one join resources two on one.uid < two.uid
      and one.parent_uid is not distinct from two.parent_uid and one.name = two.name and one.kind = two.kind
      and split_part(one.api_version, '/', 1) = split_part(two.api_version, '/', 1)`,
  'a discriminator that two siblings have': `
    select one.* from resources one join resources two on one.uid < two.uid
      and one.parent_uid is not distinct from two.parent_uid and one.discriminator = two.discriminator`,
  'a cascade to a row that depended on nothing deleted': `
    with deleted as materialized (
      select uid from changes where removed or deletion_timestamp is not null
      union select uid from resources where deletion_timestamp is not null)
    select cascade.* from changes cascade
    where cascade.written[1] = 'cascade' and not exists (
      select from deleted where uid = any (array_append(owner_uids(cascade.owner_references), cascade.parent_uid)))`,
};

/** Further invariants, which hold once the collector has nothing left to do. */
const drained: Readonly<Record<string, string>> = {
  'a live row whose owner is gone or being deleted': `
    select dependent.* from (${edges}) edge
    join resources dependent on dependent.uid = edge.dependent left join resources owner on owner.uid = edge.owner
    where not edge.structural and dependent.deletion_timestamp is null
      and (owner.uid is null or owner.deletion_timestamp is not null)`,
  'a live row under a tombstone': `
    select child.* from resources child join resources parent on parent.uid = child.parent_uid
    where child.deletion_timestamp is null and parent.deletion_timestamp is not null`,
  'a tombstone that nothing holds': `
    select resources.* from resources
    where deletion_timestamp is not null and finalizers <@ array['system.platform.dev/cascade-deletion']
      and not exists (select from (${edges}) edge where edge.owner = resources.uid and edge.blocking)`,
  'a cascade finalizer without a blocker, or a blocked tombstone without one': `
    select resources.* from resources
    where ('system.platform.dev/cascade-deletion' = any (finalizers)) <> (deletion_timestamp is not null
      and exists (select from (${edges}) edge where edge.owner = resources.uid and edge.blocking))`,
};

/** Describes the broken invariants of the database; empty when all hold. */
export function violations(sql: TestDatabase['sql']): Promise<readonly string[]> {
  return found(sql, always);
}

/** Describes the work left for the collector; empty when there is none. */
export function undrained(sql: TestDatabase['sql']): Promise<readonly string[]> {
  return found(sql, drained);
}

async function found(
  sql: TestDatabase['sql'],
  queries: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [what, query] of Object.entries(queries)) {
    for (const row of await sql.unsafe(query)) {
      faults.push(`${what}: ${row['api_version']} ${row['kind']} ${row['name']} (${row['uid']})`);
    }
  }
  return faults;
}
