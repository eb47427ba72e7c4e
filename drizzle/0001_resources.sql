-- The one table of resources, with its invariants (specification, "Stored row"), and the epoch of the catalog.
-- Formats are domains: they are checked when a value is assigned, so that a status write does not check names again.

create domain resource_api_version as text collate "C"
  check (octet_length(value) <= 317 and value ~ '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/[a-z0-9]+$');
create domain resource_kind as text collate "C"
  check (octet_length(value) <= 253 and value ~ '^[A-Z][A-Za-z0-9]*$');
create domain resource_name as text collate "C"
  check (octet_length(value) <= 253 and value ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$');
create domain resource_discriminator as varchar(8) collate "C"
  check (value ~ '^[a-z0-9][a-z0-9-]{6}[a-z0-9]$');
-- Type json, not jsonb: what a client sent is kept to the byte.
create domain json_document as json check (json_typeof(value) = 'object');
create domain jsonb_list as jsonb check (jsonb_typeof(value) = 'array');

-- The uids that owner references name; indexed, so it must stay immutable.
create function owner_uids(owner_references jsonb) returns uuid[]
  language sql immutable strict parallel safe
  return array(select (entry ->> 'uid')::uuid from jsonb_array_elements(owner_references) as entry);

create table resources (
  uid uuid primary key,
  -- No action, no cascade: dependents are tombstoned and collected. Checked at the end of a statement, so that one
  -- statement may remove a whole tree.
  parent_uid uuid references resources (uid),
  revision bigint not null default 1 check (revision >= 1),
  generation bigint not null default 1,
  deletion_timestamp timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  api_version resource_api_version not null,
  kind resource_kind not null,
  name resource_name not null,
  discriminator resource_discriminator not null,
  api_group text collate "C" not null generated always as (split_part(api_version, '/', 1)) stored,
  finalizers text[] not null default '{}',
  owner_references jsonb_list not null default '[]',
  metadata json_document not null default '{"annotations":{}}',
  spec json_document not null default '{}',
  status json_document not null default '{"controllers":{}}',
  -- What a definition claims, null for every other row. Columns rather than expressions over spec in the indexes below:
  -- an index that mentions spec would take HOT updates away from every row whose spec is replaced.
  definition_plural text collate "C" generated always as (
    case when kind = 'ResourceDefinition' and api_version like 'platform.dev/%' then spec ->> 'plural' end) stored,
  definition_group text collate "C" generated always as (
    case when kind = 'ResourceDefinition' and api_version like 'platform.dev/%' then spec ->> 'group' end) stored,
  definition_kind text collate "C" generated always as (
    case when kind = 'ResourceDefinition' and api_version like 'platform.dev/%' then spec ->> 'kind' end) stored,

  constraint resources_generation_within_revision check (generation between 1 and revision),
  constraint resources_not_own_parent check (parent_uid <> uid),
  constraint resources_finalizers_flat check (
    finalizers = '{}' or (array_ndims(finalizers) = 1 and array_position(finalizers, null) is null)),
  constraint resources_not_own_owner check (
    owner_references = '[]' or not owner_uids(owner_references) @> array[uid]),
  constraint resources_built_in_has_no_parent_or_owner check (
    not (api_group = 'platform.dev' and kind in ('Organization', 'ResourceDefinition'))
    or (parent_uid is null and owner_references = '[]')),
  constraint resources_definition_complete check (
    not (api_group = 'platform.dev' and kind = 'ResourceDefinition')
    or (definition_plural is not null and definition_group is not null and definition_kind is not null
      and name = definition_plural || '.' || definition_group)),

  -- One logical resource cannot exist under two versions of its group. Serves path resolution, lists and the foreign key.
  constraint resources_name_key unique nulls not distinct (parent_uid, api_group, kind, name),
  -- Not led by the parent: on a small table it would look as good as the index above for finding children, and the plan
  -- would stay when the table has grown.
  constraint resources_discriminator_key unique nulls not distinct (discriminator, parent_uid)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- Tombstones, oldest first: pending-deletion and the collector.
create index resources_tombstones on resources (deletion_timestamp, uid) where deletion_timestamp is not null;
-- Dependents of an owner. Without the pending list (fastupdate), which every look-up after a mass stamp would walk.
create index resources_owners on resources using gin (owner_uids(owner_references))
  with (fastupdate = off) where owner_references <> '[]';
-- Instances of a kind by stored version: definition changes and removals.
create index resources_versions on resources (api_group, kind, api_version);
create unique index resources_definition_plural on resources (definition_plural)
  where definition_plural is not null;
create unique index resources_definition_identity on resources (definition_group, definition_kind)
  where definition_kind is not null;

-- What never changes, whoever writes. The column lists keep these off every statement of the service.
create function refuse_identity_change() returns trigger language plpgsql as $$
begin
  raise exception 'the identity of a resource cannot change' using errcode = 'check_violation';
end $$;

create trigger resources_identity_is_fixed
  after update of uid, parent_uid, kind, name, discriminator, created_at on resources
  for each row when (
    (old.uid, old.parent_uid, old.kind, old.name, old.discriminator, old.created_at)
    is distinct from (new.uid, new.parent_uid, new.kind, new.name, new.discriminator, new.created_at))
  execute function refuse_identity_change();

create trigger resources_group_is_fixed
  after update of api_version on resources
  for each row when (old.api_group <> new.api_group)
  execute function refuse_identity_change();

create function refuse_resurrection() returns trigger language plpgsql as $$
begin
  raise exception 'a tombstone is for ever' using errcode = 'check_violation';
end $$;

create trigger resources_tombstone_is_fixed
  after update of deletion_timestamp on resources
  for each row when (old.deletion_timestamp is not null and old.deletion_timestamp is distinct from new.deletion_timestamp)
  execute function refuse_resurrection();

-- Counts the changes of definitions; compared by every statement of a request (contract 2.16).
create table catalog_epoch (
  singleton boolean primary key default true check (singleton),
  epoch bigint not null
) with (fillfactor = 10);
insert into catalog_epoch (epoch) values (1);

create function advance_catalog_epoch() returns trigger language plpgsql as $$
begin
  update catalog_epoch set epoch = epoch + 1;
  return null;
end $$;

-- Triggers, so that a definition removed or edited by hand is seen too. The conditions keep them off all other rows.
create trigger resources_definition_added after insert on resources
  for each row when (new.kind = 'ResourceDefinition' and new.api_group = 'platform.dev')
  execute function advance_catalog_epoch();
create trigger resources_definition_changed after update of spec, deletion_timestamp on resources
  for each row when (
    new.kind = 'ResourceDefinition' and new.api_group = 'platform.dev'
    and (old.spec::text <> new.spec::text or old.deletion_timestamp is distinct from new.deletion_timestamp))
  execute function advance_catalog_epoch();
create trigger resources_definition_removed after delete on resources
  for each row when (old.kind = 'ResourceDefinition' and old.api_group = 'platform.dev')
  execute function advance_catalog_epoch();
create trigger resources_truncated after truncate on resources
  for each statement execute function advance_catalog_epoch();
