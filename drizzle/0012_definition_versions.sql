-- Each definition has a version: a random value, so that it differs after every change and also after a restore or a failover that lost one.
-- Requests compare the version of their own definition. catalog_epoch goes on counting for replicas of the previous release.

alter table resources
  add column definition_version uuid,
  -- The parent that a definition names, as `group kind`. A column, since reading it out of every spec is slow.
  add column definition_parent text collate "C";

create function set_definition_version() returns trigger language plpgsql as $$
begin
  new.definition_version := gen_random_uuid();
  new.definition_parent :=
    split_part(new.spec -> 'parent' ->> 'apiVersion', '/', 1) || ' ' || (new.spec -> 'parent' ->> 'kind');
  return new;
end $$;

-- Generated columns have no value yet before a write, so the conditions look at api_version.
create trigger resources_definition_version_of_added before insert on resources
  for each row when (new.kind = 'ResourceDefinition' and new.api_version like 'platform.dev/%')
  execute function set_definition_version();
create trigger resources_definition_version_of_changed before update of spec, deletion_timestamp on resources
  for each row when (
    new.kind = 'ResourceDefinition' and new.api_version like 'platform.dev/%'
    and (old.spec::text <> new.spec::text or old.deletion_timestamp is distinct from new.deletion_timestamp))
  execute function set_definition_version();

update resources set
  definition_version = gen_random_uuid(),
  definition_parent =
    split_part(spec -> 'parent' ->> 'apiVersion', '/', 1) || ' ' || (spec -> 'parent' ->> 'kind')
where definition_kind is not null;

-- Validated by the next migration: reading the whole table under the lock of this one would keep everybody waiting.
alter table resources add constraint resources_definition_has_version
  check (definition_kind is null or definition_version is not null) not valid;

-- The paths of a kind go through its ancestors, so a definition that appears, disappears or moves renews those below it. Nothing is below
-- it when this happens through the API, except when a kind without resources gets another parent.
create function renew_definitions_below() returns trigger language plpgsql as $$
declare
  changed text[] := '{}';
begin
  if tg_op <> 'INSERT' then changed := changed || (old.definition_group || ' ' || old.definition_kind); end if;
  if tg_op <> 'DELETE' then changed := changed || (new.definition_group || ' ' || new.definition_kind); end if;
  with recursive edge as materialized (
    select uid, definition_group || ' ' || definition_kind as kind, definition_parent as parent
    from resources where definition_kind is not null
  ),
  below(uid, kind) as (
    select uid, kind from edge where parent = any (changed)
    union
    select edge.uid, edge.kind from below join edge on edge.parent = below.kind
  )
  update resources set definition_version = gen_random_uuid() from below where resources.uid = below.uid;
  return null;
end $$;

create trigger resources_definition_joins after insert on resources
  for each row when (new.definition_kind is not null) execute function renew_definitions_below();
create trigger resources_definition_leaves after delete on resources
  for each row when (old.definition_kind is not null) execute function renew_definitions_below();
create trigger resources_definition_moves after update of spec on resources
  for each row when (
    (old.definition_group, old.definition_kind, old.definition_parent)
    is distinct from (new.definition_group, new.definition_kind, new.definition_parent))
  execute function renew_definitions_below();
