-- The schema that the migrations add up to. Written by a test, never by hand:
-- UPDATE_SCHEMA=1 pnpm jest packages/store-postgres/src/dump-schema.test.ts

create domain email_address as text collate "C"
  CHECK (((octet_length(VALUE) <= 1280) AND (VALUE ~ '@'::text) AND (VALUE !~ '[A-Z]'::text)));

create domain hex_sha256 as text collate "C"
  CHECK ((VALUE ~ '^[0-9a-f]{64}$'::text));

create domain json_document as json
  CHECK ((json_typeof(VALUE) = 'object'::text));

create domain jsonb_list as jsonb
  CHECK ((jsonb_typeof(VALUE) = 'array'::text));

create domain label_name as text collate "C"
  CHECK (((octet_length(VALUE) <= 63) AND (VALUE ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$'::text)));

create domain resource_api_version as text collate "C"
  CHECK (((octet_length(VALUE) <= 317) AND (VALUE ~ '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/[a-z0-9]+$'::text)));

create domain resource_discriminator as character varying(8) collate "C"
  CHECK (((VALUE)::text ~ '^[a-z0-9][a-z0-9-]{6}[a-z0-9]$'::text));

create domain resource_kind as text collate "C"
  CHECK (((octet_length(VALUE) <= 253) AND (VALUE ~ '^[A-Z][A-Za-z0-9]*$'::text)));

create domain resource_name as text collate "C"
  CHECK (((octet_length(VALUE) <= 253) AND (VALUE ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$'::text)));

create domain sha256 as bytea
  CHECK ((octet_length(VALUE) = 32));

CREATE OR REPLACE FUNCTION public.advance_catalog_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update catalog_epoch set epoch = epoch + 1, version = gen_random_uuid();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ancestor_path(ancestors text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN "left"(array_to_string(ancestors, ','::text), 1400);

CREATE OR REPLACE FUNCTION public.ancestors_below(parent uuid, OUT names text[], OUT uids uuid[])
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  with recursive above (uid, name, parent_uid, distance) as (
    select uid, name::text, parent_uid, 1 from resources where uid = parent
    union all
    select r.uid, r.name::text, r.parent_uid, above.distance + 1
    from above join resources r on r.uid = above.parent_uid where above.distance < 64
  )
  select coalesce(array_agg(name order by distance desc), '{}'), coalesce(array_agg(uid order by distance desc), '{}') from above
$function$;

CREATE OR REPLACE FUNCTION public.cascade_lock(owner uuid)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (1024 + (uuid_hash(owner) & 63));

CREATE OR REPLACE FUNCTION public.claim_project_addresses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from project_addresses where project_uid = new.uid;
  insert into project_addresses (project_uid, address, origin, is_url, contested)
  select new.uid, wanted.address, wanted.origin, bool_or(wanted.is_url),
    exists (select from project_addresses a where a.address = wanted.address and not a.contested)
  from (
    select project_address(new.url_origin, new.url) as address, new.url_origin as origin, true as is_url
    union all
    select domain, domain, false from unnest(new.custom_domains) as domain
  ) as wanted
  group by wanted.address, wanted.origin
  order by wanted.address;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.clear_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  truncate resource_labels;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_extension_codes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from oauth_codes where extension_uid::text = old.uid::text;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_audit_partitions(before timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  expired name;
  dropped int := 0;
begin
  for expired in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_records'::regclass and c.relname ~ '^audit_records_\d{6}$'
      and (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month') at time zone 'UTC' <= before
  loop
    execute format('drop table %I', expired);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_change_partitions(before timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  expired name;
  dropped int := 0;
begin
  for expired in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'changes'::regclass and c.relname ~ '^changes_\d{8}$'
      and (to_date(right(c.relname, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC' <= before
  loop
    execute format('drop table %I', expired);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $function$;

CREATE OR REPLACE FUNCTION public.end_service_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into session_revocations (key, ended_until, revoked_at, expires_at)
  values ('user:' || old.uid, clock_timestamp(), clock_timestamp(), clock_timestamp() + interval '1 day')
  on conflict (key) do update set
    ended_until = greatest(session_revocations.ended_until, excluded.ended_until),
    revoked_at = excluded.revoked_at,
    expires_at = greatest(session_revocations.expires_at, excluded.expires_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_cascades()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from pending_cascades;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.has_dependents(owner uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  return exists (select from resources c where c.parent_uid = owner)
    or exists (select from resources o where o.owner_references <> '[]' and owner_uids(o.owner_references) @> array[owner]);
end $function$;

CREATE OR REPLACE FUNCTION public.hold_cascades(parent uuid, owners jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  owner uuid;
  held text;
begin
  -- Assignments, which run without a statement: this is done for every write of a dependent.
  if parent is not null then held := pg_advisory_xact_lock_shared(1886151028, cascade_lock(parent))::text; end if;
  if owners = '[]' then return exists (select from pending_cascades p where p.owner_uid = parent); end if;
  foreach owner in array owner_uids(owners) loop
    held := pg_advisory_xact_lock_shared(1886151028, cascade_lock(owner))::text;
  end loop;
  return exists (select from pending_cascades p where p.owner_uid = parent or p.owner_uid = any (owner_uids(owners)));
end $function$;

CREATE OR REPLACE FUNCTION public.index_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from resource_labels l
    using (select key || '=' || value as label from jsonb_each_text(old.labels) union all select jsonb_object_keys(old.labels)) as gone
    where l.label = gone.label and l.api_group = split_part(old.api_version, '/', 1) and l.kind = old.kind
      and l.path = ancestor_path(old.ancestors) and l.name = old.name and l.uid = old.uid;
  end if;
  if tg_op <> 'DELETE' then
    insert into resource_labels (label, api_group, kind, path, name, uid)
    select label, split_part(new.api_version, '/', 1), new.kind, ancestor_path(new.ancestors), new.name, new.uid
    from (select key || '=' || value as label from jsonb_each_text(new.labels) union all select jsonb_object_keys(new.labels)) as added
    on conflict do nothing;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.is_account_bound(addresses text[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from resources b
    cross join lateral json_array_elements(
      case json_typeof(b.spec -> 'subjects') when 'array' then b.spec -> 'subjects' else '[]' end) as subject
    where b.parent_uid is null and b.api_group = 'platform.dev' and b.kind = 'RoleBinding'
      and json_typeof(subject) = 'object' and subject ->> 'kind' = 'ServiceAccount' and lower(subject ->> 'name') = any (addresses))
$function$;

CREATE OR REPLACE FUNCTION public.log_cascaded(r resources, cause pending_cascades)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into changes
    (time, seq, xid, uid, revision, removed, written, parent_uid, api_version, kind, name, discriminator, generation, created_at,
     deletion_timestamp, finalizers, owner_references, ancestors, ancestor_uids, labels, metadata, spec, status, scope_uids)
  values (clock_timestamp(), nextval('changes_seq'), pg_current_xact_id(), r.uid, r.revision + 1, false, cause.change,
    r.parent_uid, r.api_version, r.kind, r.name, r.discriminator, r.generation, r.created_at,
    cause.time, r.finalizers, r.owner_references, r.ancestors, r.ancestor_uids, r.labels, r.metadata, r.spec, r.status, r.scope_uids)
$function$;

CREATE OR REPLACE FUNCTION public.log_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes
    (time, seq, xid, uid, revision, removed, written, parent_uid, api_version, kind, name, discriminator, generation, created_at,
     deletion_timestamp, finalizers, owner_references, ancestors, ancestor_uids, labels, metadata, spec, status, scope_uids)
  select clock_timestamp(), nextval('changes_seq'), pg_current_xact_id(), n.uid, n.revision, false,
    case
      when n.written_revision = n.revision then n.written
      when n.deletion_timestamp = now()::timestamptz(3) then
        unknown_change(case current_setting('platform.collecting', true) when 'on' then 'cascade' else 'delete' end)
      else unknown_change(case current_setting('platform.collecting', true) when 'on' then 'release' else 'update' end)
    end,
    n.parent_uid, n.api_version, n.kind, n.name, n.discriminator, n.generation, n.created_at,
    n.deletion_timestamp, n.finalizers, n.owner_references, n.ancestors, n.ancestor_uids, n.labels, n.metadata, n.spec, n.status, n.scope_uids
  from new_rows n where (n.uid, n.revision) not in (select o.uid, o.revision from old_rows o);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.log_created()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes
    (time, seq, xid, uid, revision, removed, written, parent_uid, api_version, kind, name, discriminator, generation, created_at,
     deletion_timestamp, finalizers, owner_references, ancestors, ancestor_uids, labels, metadata, spec, status, scope_uids)
  select clock_timestamp(), nextval('changes_seq'), pg_current_xact_id(), n.uid, n.revision, false,
    case when n.written_revision = n.revision then n.written else unknown_change('create') end,
    n.parent_uid, n.api_version, n.kind, n.name, n.discriminator, n.generation, n.created_at,
    n.deletion_timestamp, n.finalizers, n.owner_references, n.ancestors, n.ancestor_uids, n.labels, n.metadata, n.spec, n.status, n.scope_uids
  from new_rows n;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.log_removed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'on'
AS $function$
declare
  told text[] := nullif(current_setting('platform.removals', true), '')::text[];
  operation text := case current_setting('platform.collecting', true) when 'on' then 'collect' else 'delete' end;
  pending boolean;
begin
  perform hold_cascades(r.parent_uid, r.owner_references) from old_rows r
  where r.deletion_timestamp is null and (r.parent_uid is not null or r.owner_references::jsonb <> '[]');
  pending := exists (select from pending_cascades);
  insert into changes
    (time, seq, xid, uid, revision, removed, written, parent_uid, api_version, kind, name, discriminator, generation, created_at,
     deletion_timestamp, finalizers, owner_references, ancestors, ancestor_uids, labels, metadata, spec, status, scope_uids)
  select clock_timestamp(), nextval('changes_seq'), pg_current_xact_id(), r.uid,
    r.revision + case when cause.time is null then 0 else 1 end, entry.removed,
    case when entry.removed
      then coalesce(removal.change::text[], operation || (coalesce(r.deletion, cause.change, unknown_change(operation)))[2:8])
      else cause.change end,
    r.parent_uid, r.api_version, r.kind, r.name, r.discriminator, r.generation, r.created_at,
    coalesce(r.deletion_timestamp, cause.time), r.finalizers, r.owner_references, r.ancestors, r.ancestor_uids, r.labels, r.metadata,
    r.spec, r.status, r.scope_uids
  from old_rows r
  left join unnest(told[1]::uuid[], told[2]::text[]) with ordinality as removal (uid, change, place) on removal.uid = r.uid
  -- As pending_cascade does, which the planner cannot inline.
  left join lateral (
    select p.time, p.change from pending_cascades p
    where pending and r.deletion_timestamp is null
      and (p.owner_uid = r.parent_uid or p.owner_uid = any (owner_uids(r.owner_references)))
    order by p.seq limit 1
  ) as cause on true
  cross join (values (false), (true)) as entry (removed)
  where entry.removed or cause.time is not null
  -- Removals come from the bottom up, tombstones from the top down.
  order by entry.removed, case when entry.removed then removal.place else -removal.place end;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.owner_uids(owner_references jsonb)
 RETURNS uuid[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT ((entry.value ->> 'uid'::text))::uuid AS uuid FROM jsonb_array_elements(owner_uids.owner_references) entry(value));

CREATE OR REPLACE FUNCTION public.pending_cascade(parent uuid, owners jsonb)
 RETURNS pending_cascades
 LANGUAGE sql
 STABLE
AS $function$
  select p from pending_cascades p where p.owner_uid = parent or p.owner_uid = any (owner_uids(owners)) order by p.seq limit 1
$function$;

CREATE OR REPLACE FUNCTION public.prepare_audit_partitions()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  this_month date := date_trunc('month', now() at time zone 'UTC')::date;
  next_month constant timestamptz := (this_month + interval '1 month') at time zone 'UTC';
  ahead constant date := (this_month + interval '2 months')::date;
  month date;
  last date := (
    select max(to_date(right(c.relname, 6), 'YYYYMM')) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_records'::regclass and c.relname ~ '^audit_records_\d{6}$');
begin
  if last >= ahead then return; end if;
  create table audit_records_early (like audit_records);
  if last is null then
    last := (this_month - interval '2 months')::date;
  else
    alter table audit_records detach partition audit_records_rest;
    with early as (delete from audit_records_rest where time >= next_month returning *)
    insert into audit_records_early select * from early;
    if exists (select from audit_records_rest) then
      execute format('alter table audit_records_rest rename to audit_records_%s', to_char(this_month, 'YYYYMM'));
      execute format('alter table audit_records attach partition audit_records_%s for values from (%L) to (%L)',
        to_char(this_month, 'YYYYMM'), (last + interval '1 month') at time zone 'UTC', next_month);
      last := this_month;
    else
      drop table audit_records_rest;
    end if;
  end if;
  for month in select generate_series(last + interval '1 month', ahead, interval '1 month')::date loop
    execute format('create table audit_records_%s partition of audit_records for values from (%L) to (%L)',
      to_char(month, 'YYYYMM'), month::timestamp at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
  end loop;
  execute format('create table audit_records_rest partition of audit_records for values from (%L) to (maxvalue)',
    (ahead + interval '1 month') at time zone 'UTC');
  insert into audit_records select * from audit_records_early;
  drop table audit_records_early;
end $function$;

CREATE OR REPLACE FUNCTION public.prepare_change_partitions()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  today date := (now() at time zone 'UTC')::date;
  tomorrow constant timestamptz := (today + 1)::timestamp at time zone 'UTC';
  ahead constant int := 14;
  day date;
  last date := (
    select max(to_date(right(c.relname, 8), 'YYYYMMDD')) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'changes'::regclass and c.relname ~ '^changes_\d{8}$');
begin
  if last >= today + 7 then return; end if;
  create table changes_early (like changes);
  if last is null then
    last := today - 1;
  else
    alter table changes detach partition changes_rest;
    with early as (delete from changes_rest where time >= tomorrow returning *)
    insert into changes_early select * from early;
    if exists (select from changes_rest) then
      execute format('alter table changes_rest rename to changes_%s', to_char(today, 'YYYYMMDD'));
      execute format('alter table changes attach partition changes_%s for values from (%L) to (%L)',
        to_char(today, 'YYYYMMDD'), (last + 1)::timestamp at time zone 'UTC', tomorrow);
      last := today;
    else
      drop table changes_rest;
    end if;
  end if;
  for day in select generate_series(last + 1, today + ahead, interval '1 day')::date loop
    execute format('create table changes_%s partition of changes for values from (%L) to (%L)',
      to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  end loop;
  execute format('create table changes_rest partition of changes for values from (%L) to (maxvalue)',
    (today + ahead + 1)::timestamp at time zone 'UTC');
  insert into changes select * from changes_early;
  drop table changes_early;
end $function$;

CREATE OR REPLACE FUNCTION public.project_address(origin text, url text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE STRICT
RETURN (origin || rtrim(regexp_replace(url, '^[A-Za-z]+://[^/]*'::text, ''::text), '/'::text));

CREATE OR REPLACE FUNCTION public.refuse_identity_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the identity of a resource cannot change' using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_organization_with_children()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from projects where organization_resource_uid = old.uid)
    or exists (select from teams where organization_resource_uid = old.uid) then
    raise exception 'the organization has projects or teams' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_resurrection()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a tombstone is for ever' using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.renew_access_of_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  addresses constant text[] := array(select email from changed);
  known constant uuid := (select version from access_rules);
  bound boolean;
begin
  if addresses = '{}' then return null; end if;
  bound := is_account_bound(addresses);
  if not bound then
    -- Waits for writes of bindings that have not committed, and lets no other one begin: one of them may name the account.
    perform from access_rules for no key update;
    if (select version from access_rules) is distinct from known then bound := is_account_bound(addresses); end if;
  end if;
  if bound then update access_rules set version = gen_random_uuid(); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.renew_access_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update access_rules set version = gen_random_uuid();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.renew_definitions_below()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.reserve_project_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into reserved_project_names (name, deleted_at) values (old.name, now())
    on conflict (name) do update set deleted_at = excluded.deleted_at;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.set_ancestors()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select p.ancestors || p.name::text, p.ancestor_uids || p.uid into new.ancestors, new.ancestor_uids
  from resources p where p.uid = new.parent_uid and (p.parent_uid is null or p.ancestors <> '{}');
  if not found then
    select names, uids into new.ancestors, new.ancestor_uids from ancestors_below(new.parent_uid);
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.set_binding_scope()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.scope_uids := case when new.spec -> 'scope' ->> 'uid' is not null
    then (select uids from ancestors_below((new.spec -> 'scope' ->> 'uid')::uuid)) end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.set_definition_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.definition_version := gen_random_uuid();
  new.definition_parent :=
    split_part(new.spec -> 'parent' ->> 'apiVersion', '/', 1) || ' ' || (new.spec -> 'parent' ->> 'kind');
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.set_deletion_protected()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.deletion_protected :=
    coalesce(new.metadata #>> '{annotations,platform.dev/deletion-protection}' = 'true', false);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.set_extension_client_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select p.name || '-' || new.name into new.client_id from projects p where p.uid = new.project_uid;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.stamp_pending_cascade()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  cause pending_cascades;
  collecting constant boolean := current_setting('platform.collecting', true) is not distinct from 'on';
begin
  if not hold_cascades(old.parent_uid, old.owner_references) then return new; end if;
  cause := pending_cascade(old.parent_uid, old.owner_references);
  if new.revision = old.revision + 2 then
    perform log_cascaded(old, cause);
  elsif not collecting then
    raise exception 'the resource was tombstoned with what is above it' using errcode = 'serialization_failure';
  elsif new.finalizers is distinct from old.finalizers then
    -- The collector writes a tombstone and its finalizer at once; readers have seen the tombstone without it.
    perform log_cascaded(old, cause);
    new.revision := old.revision + 2;
    new.written := array['finalizers'] || cause.change[2:8];
    new.written_revision := new.revision;
  else
    new.written := cause.change;
    new.written_revision := new.revision;
  end if;
  new.deletion_timestamp := cause.time;
  new.deletion := cause.change;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.unknown_change(operation text)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select array[operation, 'system', case current_setting('platform.collecting', true) when 'on' then 'collector' else 'unknown' end,
    null, null, null, null, null]
$function$;

CREATE OR REPLACE FUNCTION public.wake_collector_of_owners()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('platform_collector', 'look ' || owner.uid) from (
    select uid, deletion_timestamp from resources
    where uid = any (array_append(owner_uids(old.owner_references), old.parent_uid)) offset 0
  ) as owner where owner.deletion_timestamp is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.wake_collector_of_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('platform_collector', 'look ' || new.uid);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.wake_collector_of_tombstones()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- The same text for every row of a transaction, so that it is one notification however wide the cascade.
  perform pg_notify('platform_collector',
    'tombstoned ' || (extract(epoch from new.deletion_timestamp) * 1000)::bigint);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.wake_revocation_followers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('platform_sessions', '');
  return null;
end $function$;

create table access_rules (
  singleton boolean default true not null,
  version uuid default gen_random_uuid() not null,
  roles_created boolean default false not null,
  constraint access_rules_singleton_check CHECK (singleton),
  constraint access_rules_pkey PRIMARY KEY (singleton)
) with (fillfactor=10);

create table answered_requests (
  key_hash text not null,
  body_hash text not null,
  status integer not null,
  headers json not null,
  body text not null,
  expires_at timestamp(3) with time zone not null,
  constraint answered_requests_pkey PRIMARY KEY (key_hash)
);

create table audit_records (
  "time" timestamp(3) with time zone not null,
  id uuid not null,
  action text collate "C" not null,
  outcome text collate "C" not null,
  actor_type text collate "C" not null,
  actor_id text not null,
  request_id text collate "C",
  source_address text,
  user_agent text,
  resource json,
  resource_uid uuid,
  kind text collate "C",
  project text collate "C",
  reason text,
  details json not null,
  constraint audit_records_pkey PRIMARY KEY ("time", id)
) partition by RANGE ("time");

create table catalog_epoch (
  singleton boolean default true not null,
  epoch bigint not null,
  version uuid default gen_random_uuid() not null,
  constraint catalog_epoch_singleton_check CHECK (singleton),
  constraint catalog_epoch_pkey PRIMARY KEY (singleton)
) with (fillfactor=10);

create table change_log (
  singleton boolean default true not null,
  store uuid default gen_random_uuid() not null,
  system_identifier bigint not null,
  tick bigint not null,
  mark bigint not null,
  snapshot pg_snapshot not null,
  floor bigint not null,
  constraint change_log_singleton_check CHECK (singleton),
  constraint change_log_pkey PRIMARY KEY (singleton)
) with (fillfactor=10);

create table change_ticks (
  tick bigint not null,
  "time" timestamp(3) with time zone not null,
  mark bigint not null,
  snapshot pg_snapshot not null,
  floor bigint not null,
  constraint change_ticks_pkey PRIMARY KEY (tick)
);

create table changes (
  "time" timestamp(3) with time zone not null,
  seq bigint not null,
  xid xid8 not null,
  uid uuid not null,
  revision bigint not null,
  removed boolean not null,
  written text[] not null,
  parent_uid uuid,
  api_version text collate "C" not null,
  kind text collate "C" not null,
  name text collate "C" not null,
  discriminator text collate "C" not null,
  generation bigint not null,
  created_at timestamp(3) with time zone not null,
  deletion_timestamp timestamp(3) with time zone,
  finalizers text[] not null,
  owner_references jsonb not null,
  ancestors text[] collate "C" not null,
  ancestor_uids uuid[] not null,
  labels jsonb not null,
  metadata json not null,
  spec json not null,
  status json not null,
  scope_uids uuid[],
  constraint changes_pkey PRIMARY KEY ("time", seq)
) partition by RANGE ("time");

create table deletion_plans (
  hash hex_sha256 not null,
  root_uid uuid not null,
  resources json not null,
  expires_at timestamp(3) with time zone not null,
  constraint deletion_plans_pkey PRIMARY KEY (hash)
);

create table deployments (
  uid uuid not null,
  project_uid uuid not null,
  name label_name not null,
  environment label_name not null,
  credential_hash hex_sha256 not null,
  created_at timestamp(3) with time zone default now() not null,
  revision bigint default 1 not null,
  credential_expires_at timestamp(3) with time zone,
  credential_created_by text,
  credential_last_used_at timestamp(3) with time zone,
  previous_credential_hash hex_sha256,
  previous_credential_expires_at timestamp(3) with time zone,
  constraint deployments_previous_credential CHECK (((previous_credential_hash IS NULL) = (previous_credential_expires_at IS NULL))),
  constraint deployments_revision_check CHECK ((revision > 0)),
  constraint deployments_environment_fkey FOREIGN KEY (project_uid, environment) REFERENCES environments(project_uid, name) DEFERRABLE INITIALLY DEFERRED,
  constraint deployments_project_fkey FOREIGN KEY (project_uid) REFERENCES projects(uid) ON DELETE CASCADE,
  constraint deployments_pkey PRIMARY KEY (uid),
  constraint deployments_credential_hash_key UNIQUE (credential_hash),
  constraint deployments_name_key UNIQUE (project_uid, name),
  constraint deployments_previous_credential_hash_key UNIQUE (previous_credential_hash)
);

create table device_authorizations (
  device_hash hex_sha256 not null,
  user_code_hash hex_sha256 not null,
  state text default 'pending'::text not null,
  client_id text not null,
  scope text not null,
  address text not null,
  user_agent text not null,
  interval_seconds integer not null,
  next_poll_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint device_authorizations_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text]))),
  constraint device_authorizations_pkey PRIMARY KEY (device_hash)
);

create table environments (
  uid uuid not null,
  project_uid uuid not null,
  name label_name not null,
  created_at timestamp(3) with time zone default now() not null,
  revision bigint default 1 not null,
  constraint environments_revision_check CHECK ((revision > 0)),
  constraint environments_project_fkey FOREIGN KEY (project_uid) REFERENCES projects(uid) ON DELETE CASCADE,
  constraint environments_pkey PRIMARY KEY (uid),
  constraint environments_name_key UNIQUE (project_uid, name)
);

create table extension_signing_keys (
  extension_uid uuid not null,
  sequence integer not null,
  public_key json_document not null,
  sealed_private_key text not null,
  created_at timestamp(3) with time zone not null,
  constraint extension_signing_keys_sequence_check CHECK ((sequence >= 1)),
  constraint extension_signing_keys_extension_fkey FOREIGN KEY (extension_uid) REFERENCES extensions(uid) ON DELETE CASCADE,
  constraint extension_signing_keys_pkey PRIMARY KEY (extension_uid, sequence)
);

create table extensions (
  uid uuid not null,
  project_uid uuid not null,
  name label_name not null,
  spec json not null,
  sealed_upstream_secret text not null,
  client_secrets json not null,
  created_at timestamp(3) with time zone default now() not null,
  revision bigint default 1 not null,
  client_id text collate "C",
  constraint extensions_revision_check CHECK ((revision > 0)),
  constraint extensions_project_fkey FOREIGN KEY (project_uid) REFERENCES projects(uid) ON DELETE CASCADE,
  constraint extensions_pkey PRIMARY KEY (uid),
  constraint extensions_name_key UNIQUE (project_uid, name)
);

create table known_keys (
  purpose text not null,
  id text not null,
  first_used_at timestamp(3) with time zone default now() not null,
  last_used_at timestamp(3) with time zone default now() not null,
  constraint known_keys_purpose_check CHECK ((purpose = ANY (ARRAY['encryption'::text, 'sessions'::text, 'identity'::text]))),
  constraint known_keys_pkey PRIMARY KEY (purpose, id)
);

create table leases (
  name text not null,
  holder text,
  token bigint default 0 not null,
  expires_at timestamp(3) with time zone default '-infinity'::timestamp with time zone not null,
  paused_since timestamp(3) with time zone,
  constraint leases_pkey PRIMARY KEY (name)
) with (fillfactor=10);

create table login_once (
  hash hex_sha256 not null,
  sealed text,
  expires_at timestamp(3) with time zone not null,
  constraint login_once_pkey PRIMARY KEY (hash)
);

create table oauth_codes (
  hash sha256 not null,
  extension_uid uuid not null,
  sealed text not null,
  expires_at timestamp(3) with time zone not null,
  constraint oauth_codes_pkey PRIMARY KEY (hash)
);

create table oauth_signing_keys (
  sequence integer not null,
  public_key json_document not null,
  sealed_private_key text not null,
  created_at timestamp(3) with time zone not null,
  retired_at timestamp(3) with time zone default now() not null,
  constraint oauth_signing_keys_sequence_check CHECK ((sequence >= 1)),
  constraint oauth_signing_keys_pkey PRIMARY KEY (sequence)
);

create table oauth_states (
  hash sha256 not null,
  extension_uid uuid not null,
  sealed text not null,
  expires_at timestamp(3) with time zone not null,
  constraint oauth_states_pkey PRIMARY KEY (hash)
);

create table pending_cascades (
  owner_uid uuid not null,
  seq bigint not null,
  "time" timestamp(3) with time zone not null,
  change text[] not null,
  api_version text collate "C" not null,
  kind text collate "C" not null,
  name text collate "C" not null,
  parent_uid uuid,
  constraint pending_cascades_pkey PRIMARY KEY (owner_uid),
  constraint pending_cascades_seq_key UNIQUE (seq)
);

create table platform_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp(3) with time zone default now() not null,
  constraint platform_migrations_pkey PRIMARY KEY (name)
);

create table project_addresses (
  project_uid uuid not null,
  address text collate "C" not null,
  origin text collate "C" not null,
  is_url boolean not null,
  contested boolean default false not null,
  constraint project_addresses_project_uid_fkey FOREIGN KEY (project_uid) REFERENCES projects(uid) ON DELETE CASCADE,
  constraint project_addresses_pkey PRIMARY KEY (project_uid, address)
);

create table projects (
  uid uuid not null,
  name label_name not null,
  organization_resource_uid uuid not null,
  access_class text not null,
  url text not null,
  url_origin text collate "C" not null,
  custom_domains text[] default '{}'::text[] not null,
  owner_user email_address,
  owner_team uuid,
  members text[] default '{}'::text[] not null,
  created_at timestamp(3) with time zone default now() not null,
  revision bigint default 1 not null,
  constraint projects_access_class_check CHECK ((access_class = ANY (ARRAY['public'::text, 'private'::text]))),
  constraint projects_one_owner CHECK ((num_nonnulls(owner_user, owner_team) = 1)),
  constraint projects_revision_check CHECK ((revision > 0)),
  constraint projects_owner_team_fkey FOREIGN KEY (owner_team) REFERENCES teams(uid),
  constraint projects_pkey PRIMARY KEY (uid),
  constraint projects_name_key UNIQUE (name)
);

create table rate_limits (
  key character varying(255) not null,
  points integer default 0 not null,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);

create table reserved_project_names (
  name label_name not null,
  deleted_at timestamp(3) with time zone not null,
  constraint reserved_project_names_pkey PRIMARY KEY (name)
);

create table resource_labels (
  label text collate "C" not null,
  api_group text collate "C" not null,
  kind text collate "C" not null,
  path text collate "C" not null,
  name text collate "C" not null,
  uid uuid not null,
  constraint resource_labels_pkey PRIMARY KEY (label, api_group, kind, path, name, uid)
);

create table resources (
  uid uuid not null,
  parent_uid uuid,
  revision bigint default 1 not null,
  generation bigint default 1 not null,
  deletion_timestamp timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  api_version resource_api_version not null,
  kind resource_kind not null,
  name resource_name not null,
  discriminator resource_discriminator not null,
  api_group text collate "C" generated always as split_part((api_version)::text, '/'::text, 1) stored not null,
  finalizers text[] default '{}'::text[] not null,
  owner_references jsonb_list default '[]'::jsonb not null,
  metadata json_document default '{"annotations":{}}'::json not null,
  spec json_document default '{}'::json not null,
  status json_document default '{"controllers":{}}'::json not null,
  definition_plural text collate "C" generated always as 
CASE
    WHEN (((kind)::text = 'ResourceDefinition'::text) AND ((api_version)::text ~~ 'platform.dev/%'::text)) THEN ((spec)::json ->> 'plural'::text)
    ELSE NULL::text
END stored,
  definition_group text collate "C" generated always as 
CASE
    WHEN (((kind)::text = 'ResourceDefinition'::text) AND ((api_version)::text ~~ 'platform.dev/%'::text)) THEN ((spec)::json ->> 'group'::text)
    ELSE NULL::text
END stored,
  definition_kind text collate "C" generated always as 
CASE
    WHEN (((kind)::text = 'ResourceDefinition'::text) AND ((api_version)::text ~~ 'platform.dev/%'::text)) THEN ((spec)::json ->> 'kind'::text)
    ELSE NULL::text
END stored,
  definition_version uuid,
  definition_parent text collate "C",
  ancestors text[] collate "C" default '{}'::text[] not null,
  ancestor_uids uuid[] default '{}'::uuid[] not null,
  deletion_protected boolean default false not null,
  scope_uids uuid[],
  written text[],
  written_revision bigint,
  deletion text[],
  labels jsonb default '{}'::jsonb not null,
  constraint resources_built_in_has_no_parent_or_owner CHECK (((NOT ((api_group = 'platform.dev'::text) AND ((kind)::text = ANY (ARRAY['Organization'::text, 'ResourceDefinition'::text])))) OR ((parent_uid IS NULL) AND ((owner_references)::jsonb = '[]'::jsonb)))),
  constraint resources_definition_complete CHECK (((NOT ((api_group = 'platform.dev'::text) AND ((kind)::text = 'ResourceDefinition'::text))) OR ((definition_plural IS NOT NULL) AND (definition_group IS NOT NULL) AND (definition_kind IS NOT NULL) AND ((name)::text = ((definition_plural || '.'::text) || definition_group))))),
  constraint resources_definition_has_version CHECK (((definition_kind IS NULL) OR (definition_version IS NOT NULL))),
  constraint resources_finalizers_flat CHECK (((finalizers = '{}'::text[]) OR ((array_ndims(finalizers) = 1) AND (array_position(finalizers, NULL::text) IS NULL)))),
  constraint resources_generation_within_revision CHECK (((generation >= 1) AND (generation <= revision))),
  constraint resources_labels_object CHECK ((jsonb_typeof(labels) = 'object'::text)),
  constraint resources_not_own_owner CHECK ((((owner_references)::jsonb = '[]'::jsonb) OR (NOT (owner_uids((owner_references)::jsonb) @> ARRAY[uid])))),
  constraint resources_not_own_parent CHECK ((parent_uid <> uid)),
  constraint resources_revision_check CHECK ((revision >= 1)),
  constraint resources_parent_uid_fkey FOREIGN KEY (parent_uid) REFERENCES resources(uid),
  constraint resources_pkey PRIMARY KEY (uid),
  constraint resources_name_key UNIQUE NULLS NOT DISTINCT (parent_uid, api_group, kind, name)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);

create table service_accounts (
  uid uuid not null,
  project_uid uuid not null,
  name label_name not null,
  email text collate "C" not null,
  issuer_url text collate "C" not null,
  claims json not null,
  created_at timestamp(3) with time zone default now() not null,
  revision bigint default 1 not null,
  constraint service_accounts_revision_check CHECK ((revision > 0)),
  constraint service_accounts_project_fkey FOREIGN KEY (project_uid) REFERENCES projects(uid) ON DELETE CASCADE,
  constraint service_accounts_pkey PRIMARY KEY (uid),
  constraint service_accounts_email_key UNIQUE (email),
  constraint service_accounts_name_key UNIQUE (project_uid, name)
);

create table session_revocations (
  key text collate "C" not null,
  ended_until timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint session_revocations_pkey PRIMARY KEY (key)
);

create table sessions (
  id uuid not null,
  user_uid uuid not null,
  email text not null,
  folded_email text collate "C" not null,
  issuer text collate "C",
  subject text collate "C",
  provider_session text collate "C",
  user_agent text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint sessions_pkey PRIMARY KEY (id)
);

create table subscription_deliveries (
  subscription_uid uuid not null,
  cursor text not null,
  generation bigint not null,
  attempts integer not null,
  failing_since timestamp(3) with time zone,
  next_attempt_at timestamp(3) with time zone not null,
  failure text,
  paused text,
  reported text not null,
  constraint subscription_deliveries_pkey PRIMARY KEY (subscription_uid)
);

create table team_members (
  team_uid uuid not null,
  email email_address not null,
  role text not null,
  constraint team_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text]))),
  constraint team_members_team_uid_fkey FOREIGN KEY (team_uid) REFERENCES teams(uid) ON DELETE CASCADE,
  constraint team_members_pkey PRIMARY KEY (team_uid, email)
);

create table teams (
  uid uuid not null,
  name label_name not null,
  organization_resource_uid uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  revision bigint default 1 not null,
  constraint teams_revision_check CHECK ((revision > 0)),
  constraint teams_pkey PRIMARY KEY (uid),
  constraint teams_name_key UNIQUE (name)
);

create table users (
  uid uuid not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  email text not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  constraint users_pkey PRIMARY KEY (uid),
  constraint users_identity_key UNIQUE (issuer, subject)
);

CREATE INDEX answered_requests_expiry ON public.answered_requests USING btree (expires_at);

CREATE INDEX audit_records_action ON ONLY public.audit_records USING btree (action, "time", id);

CREATE INDEX audit_records_actor ON ONLY public.audit_records USING btree (lower((actor_id COLLATE "C")), "time", id);

CREATE INDEX audit_records_kind ON ONLY public.audit_records USING btree (kind, "time", id) WHERE (kind IS NOT NULL);

CREATE INDEX audit_records_outcome ON ONLY public.audit_records USING btree (outcome, "time", id) WHERE (outcome <> 'allowed'::text);

CREATE INDEX audit_records_project ON ONLY public.audit_records USING btree (project, "time", id) WHERE (project IS NOT NULL);

CREATE INDEX audit_records_request ON ONLY public.audit_records USING btree (request_id, "time", id) WHERE (request_id IS NOT NULL);

CREATE INDEX audit_records_resource ON ONLY public.audit_records USING btree (resource_uid, "time", id) WHERE (resource_uid IS NOT NULL);

CREATE INDEX change_ticks_time ON public.change_ticks USING btree ("time");

CREATE INDEX changes_actor ON ONLY public.changes USING btree (lower((written[3] COLLATE "C")), "time", seq);

CREATE INDEX changes_audit_kind ON ONLY public.changes USING btree (((kind || ''::text)), "time", seq);

CREATE INDEX changes_cascade ON ONLY public.changes USING btree ((written[6])) WHERE removed;

CREATE INDEX changes_history ON ONLY public.changes USING btree (uid, revision);

CREATE INDEX changes_removed ON ONLY public.changes USING btree (parent_uid, kind, seq) WHERE removed;

CREATE INDEX changes_removed_name ON ONLY public.changes USING btree (name, kind) WHERE removed;

CREATE INDEX changes_request ON ONLY public.changes USING btree ((written[4]), "time", seq);

CREATE INDEX changes_restored ON ONLY public.changes USING btree (((metadata #>> '{annotations,platform.dev/restored-from}'::text[]))) WHERE (written[1] = 'restore'::text);

CREATE INDEX changes_xid ON ONLY public.changes USING btree (xid, seq);

CREATE INDEX deletion_plans_expiry ON public.deletion_plans USING btree (expires_at);

CREATE INDEX deployments_environment_project ON public.deployments USING btree (environment, project_uid);

CREATE INDEX device_authorizations_expiry ON public.device_authorizations USING btree (expires_at);

CREATE UNIQUE INDEX device_authorizations_user_code ON public.device_authorizations USING btree (user_code_hash);

CREATE UNIQUE INDEX extensions_client_id_key ON public.extensions USING btree (client_id);

CREATE INDEX login_once_expiry ON public.login_once USING btree (expires_at);

CREATE INDEX oauth_codes_expiry ON public.oauth_codes USING btree (expires_at);

CREATE INDEX oauth_codes_extension ON public.oauth_codes USING btree (((extension_uid)::text), expires_at);

CREATE INDEX oauth_states_expiry ON public.oauth_states USING btree (expires_at);

CREATE UNIQUE INDEX project_addresses_key ON public.project_addresses USING btree (address) WHERE (NOT contested);

CREATE INDEX project_addresses_origin ON public.project_addresses USING btree (origin) WHERE (is_url AND (NOT contested));

CREATE INDEX projects_members ON public.projects USING gin (members) WHERE (members <> '{}'::text[]);

CREATE INDEX projects_organization_name ON public.projects USING btree (organization_resource_uid, name);

CREATE INDEX projects_owner_team ON public.projects USING btree (owner_team) WHERE (owner_team IS NOT NULL);

CREATE INDEX projects_owner_user ON public.projects USING btree (owner_user) WHERE (owner_user IS NOT NULL);

CREATE INDEX projects_url_origin ON public.projects USING btree (url_origin);

CREATE INDEX rate_limits_expiry ON public.rate_limits USING btree (expire);

CREATE INDEX reserved_project_names_deletion ON public.reserved_project_names USING btree (deleted_at);

CREATE INDEX resources_binding_scopes ON public.resources USING gin (scope_uids) WITH (fastupdate=off) WHERE (scope_uids IS NOT NULL);

CREATE INDEX resources_by_path ON public.resources USING btree (((((kind)::text || '.'::text) || api_group)), ancestor_path(ancestors), name, uid);

CREATE UNIQUE INDEX resources_definition_identity ON public.resources USING btree (definition_group, definition_kind) WHERE (definition_kind IS NOT NULL);

CREATE UNIQUE INDEX resources_definition_plural ON public.resources USING btree (definition_plural) WHERE (definition_plural IS NOT NULL);

CREATE INDEX resources_instances ON public.resources USING btree ((((api_group || '/'::text) || (kind)::text)), api_version);

CREATE INDEX resources_owners ON public.resources USING gin (owner_uids((owner_references)::jsonb)) WITH (fastupdate=off) WHERE ((owner_references)::jsonb <> '[]'::jsonb);

CREATE INDEX resources_protected ON public.resources USING btree (uid) WHERE (deletion_protected AND (deletion_timestamp IS NULL));

CREATE INDEX resources_search ON public.resources USING btree (name, uid) WHERE (uid <> '00000000-0000-0000-0000-000000000000'::uuid);

CREATE UNIQUE INDEX resources_sibling_discriminator ON public.resources USING btree (discriminator, COALESCE(parent_uid, '00000000-0000-0000-0000-000000000000'::uuid));

CREATE INDEX resources_tombstones ON public.resources USING btree (deletion_timestamp, uid) WHERE (deletion_timestamp IS NOT NULL);

CREATE INDEX service_accounts_issuer_project ON public.service_accounts USING btree (issuer_url, project_uid);

CREATE INDEX session_revocations_expiry ON public.session_revocations USING btree (expires_at);

CREATE INDEX session_revocations_order ON public.session_revocations USING btree (revoked_at, key);

CREATE INDEX sessions_account ON public.sessions USING btree (subject, issuer);

CREATE INDEX sessions_email ON public.sessions USING btree (folded_email, id);

CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_provider_session ON public.sessions USING btree (provider_session, issuer);

CREATE INDEX sessions_user ON public.sessions USING btree (user_uid, id);

CREATE INDEX team_members_email ON public.team_members USING btree (email);

CREATE INDEX teams_organization_name ON public.teams USING btree (organization_resource_uid, name);

CREATE INDEX users_email ON public.users USING btree (lower((email COLLATE "C")));

CREATE TRIGGER extensions_client_id BEFORE INSERT ON public.extensions FOR EACH ROW EXECUTE FUNCTION set_extension_client_id();

CREATE TRIGGER extensions_codes AFTER DELETE ON public.extensions FOR EACH ROW EXECUTE FUNCTION delete_extension_codes();

CREATE TRIGGER pending_cascades_access_changed AFTER INSERT ON public.pending_cascades FOR EACH STATEMENT EXECUTE FUNCTION renew_access_version();

CREATE TRIGGER projects_addresses AFTER INSERT OR UPDATE OF url, url_origin, custom_domains ON public.projects FOR EACH ROW EXECUTE FUNCTION claim_project_addresses();

CREATE TRIGGER projects_reserve_name AFTER DELETE ON public.projects FOR EACH ROW EXECUTE FUNCTION reserve_project_name();

CREATE TRIGGER resources_access_added AFTER INSERT ON public.resources FOR EACH ROW WHEN ((((new.kind)::text = ANY (ARRAY['Role'::text, 'RoleBinding'::text])) AND (new.api_group = 'platform.dev'::text))) EXECUTE FUNCTION renew_access_version();

CREATE TRIGGER resources_access_changed AFTER UPDATE OF spec, deletion_timestamp ON public.resources FOR EACH ROW WHEN ((((new.kind)::text = ANY (ARRAY['Role'::text, 'RoleBinding'::text])) AND (new.api_group = 'platform.dev'::text) AND (((old.spec)::text <> (new.spec)::text) OR (old.deletion_timestamp IS DISTINCT FROM new.deletion_timestamp)))) EXECUTE FUNCTION renew_access_version();

CREATE TRIGGER resources_access_removed AFTER DELETE ON public.resources FOR EACH ROW WHEN ((((old.kind)::text = ANY (ARRAY['Role'::text, 'RoleBinding'::text])) AND (old.api_group = 'platform.dev'::text))) EXECUTE FUNCTION renew_access_version();

CREATE TRIGGER resources_access_truncated AFTER TRUNCATE ON public.resources FOR EACH STATEMENT EXECUTE FUNCTION renew_access_version();

CREATE TRIGGER resources_ancestors BEFORE INSERT ON public.resources FOR EACH ROW WHEN (((new.parent_uid IS NOT NULL) AND ((new.ancestors = '{}'::text[]) OR (new.ancestor_uids = '{}'::uuid[])))) EXECUTE FUNCTION set_ancestors();

CREATE TRIGGER resources_ancestors_are_fixed AFTER UPDATE OF ancestors, ancestor_uids ON public.resources FOR EACH ROW WHEN ((((old.ancestors IS DISTINCT FROM new.ancestors) OR (old.ancestor_uids IS DISTINCT FROM new.ancestor_uids)) AND ((old.parent_uid IS NULL) OR (old.ancestors <> '{}'::text[])))) EXECUTE FUNCTION refuse_identity_change();

CREATE TRIGGER resources_binding_scope_of_added BEFORE INSERT ON public.resources FOR EACH ROW WHEN ((((new.kind)::text = 'RoleBinding'::text) AND ((new.api_version)::text ~~ 'platform.dev/%'::text))) EXECUTE FUNCTION set_binding_scope();

CREATE TRIGGER resources_binding_scope_of_changed BEFORE UPDATE OF spec ON public.resources FOR EACH ROW WHEN ((((new.kind)::text = 'RoleBinding'::text) AND ((new.api_version)::text ~~ 'platform.dev/%'::text) AND ((old.spec)::text <> (new.spec)::text))) EXECUTE FUNCTION set_binding_scope();

CREATE TRIGGER resources_cascades_truncated AFTER TRUNCATE ON public.resources FOR EACH STATEMENT EXECUTE FUNCTION forget_cascades();

CREATE TRIGGER resources_changed_is_logged AFTER UPDATE ON public.resources REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_changed();

CREATE TRIGGER resources_created_is_logged AFTER INSERT ON public.resources REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_created();

CREATE TRIGGER resources_definition_added AFTER INSERT ON public.resources FOR EACH ROW WHEN ((((new.kind)::text = 'ResourceDefinition'::text) AND (new.api_group = 'platform.dev'::text))) EXECUTE FUNCTION advance_catalog_epoch();

CREATE TRIGGER resources_definition_changed AFTER UPDATE OF spec, deletion_timestamp ON public.resources FOR EACH ROW WHEN ((((new.kind)::text = 'ResourceDefinition'::text) AND (new.api_group = 'platform.dev'::text) AND (((old.spec)::text <> (new.spec)::text) OR (old.deletion_timestamp IS DISTINCT FROM new.deletion_timestamp)))) EXECUTE FUNCTION advance_catalog_epoch();

CREATE TRIGGER resources_definition_joins AFTER INSERT ON public.resources FOR EACH ROW WHEN ((new.definition_kind IS NOT NULL)) EXECUTE FUNCTION renew_definitions_below();

CREATE TRIGGER resources_definition_leaves AFTER DELETE ON public.resources FOR EACH ROW WHEN ((old.definition_kind IS NOT NULL)) EXECUTE FUNCTION renew_definitions_below();

CREATE TRIGGER resources_definition_moves AFTER UPDATE OF spec ON public.resources FOR EACH ROW WHEN ((((old.definition_group IS DISTINCT FROM new.definition_group) OR (old.definition_kind IS DISTINCT FROM new.definition_kind)) OR (old.definition_parent IS DISTINCT FROM new.definition_parent))) EXECUTE FUNCTION renew_definitions_below();

CREATE TRIGGER resources_definition_removed AFTER DELETE ON public.resources FOR EACH ROW WHEN ((((old.kind)::text = 'ResourceDefinition'::text) AND (old.api_group = 'platform.dev'::text))) EXECUTE FUNCTION advance_catalog_epoch();

CREATE TRIGGER resources_definition_version_of_added BEFORE INSERT ON public.resources FOR EACH ROW WHEN ((((new.kind)::text = 'ResourceDefinition'::text) AND ((new.api_version)::text ~~ 'platform.dev/%'::text))) EXECUTE FUNCTION set_definition_version();

CREATE TRIGGER resources_definition_version_of_changed BEFORE UPDATE OF spec, deletion_timestamp ON public.resources FOR EACH ROW WHEN ((((new.kind)::text = 'ResourceDefinition'::text) AND ((new.api_version)::text ~~ 'platform.dev/%'::text) AND (((old.spec)::text <> (new.spec)::text) OR (old.deletion_timestamp IS DISTINCT FROM new.deletion_timestamp)))) EXECUTE FUNCTION set_definition_version();

CREATE TRIGGER resources_deletion_protected_of_added BEFORE INSERT ON public.resources FOR EACH ROW WHEN ((new.deletion_protected OR (((new.metadata)::json #>> '{annotations,platform.dev/deletion-protection}'::text[]) = 'true'::text))) EXECUTE FUNCTION set_deletion_protected();

CREATE TRIGGER resources_deletion_protected_of_changed BEFORE UPDATE OF metadata, deletion_protected ON public.resources FOR EACH ROW WHEN ((new.deletion_protected <> COALESCE((((new.metadata)::json #>> '{annotations,platform.dev/deletion-protection}'::text[]) = 'true'::text), false))) EXECUTE FUNCTION set_deletion_protected();

CREATE TRIGGER resources_dependent_removed AFTER DELETE ON public.resources FOR EACH ROW WHEN ((((old.parent_uid IS NOT NULL) OR ((old.owner_references)::jsonb <> '[]'::jsonb)) AND (current_setting('platform.collecting'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION wake_collector_of_owners();

CREATE TRIGGER resources_finalizer_removed AFTER UPDATE OF finalizers ON public.resources FOR EACH ROW WHEN (((new.deletion_timestamp IS NOT NULL) AND (NOT (old.finalizers <@ new.finalizers)) AND (current_setting('platform.collecting'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION wake_collector_of_row();

CREATE TRIGGER resources_group_is_fixed AFTER UPDATE OF api_version ON public.resources FOR EACH ROW WHEN ((old.api_group <> new.api_group)) EXECUTE FUNCTION refuse_identity_change();

CREATE TRIGGER resources_identity_is_fixed AFTER UPDATE OF uid, parent_uid, kind, name, discriminator, created_at ON public.resources FOR EACH ROW WHEN (((((((old.uid IS DISTINCT FROM new.uid) OR (old.parent_uid IS DISTINCT FROM new.parent_uid)) OR ((old.kind)::text IS DISTINCT FROM (new.kind)::text)) OR ((old.name)::text IS DISTINCT FROM (new.name)::text)) OR ((old.discriminator)::text IS DISTINCT FROM (new.discriminator)::text)) OR (old.created_at IS DISTINCT FROM new.created_at))) EXECUTE FUNCTION refuse_identity_change();

CREATE TRIGGER resources_labels_added AFTER INSERT ON public.resources FOR EACH ROW WHEN ((new.labels <> '{}'::jsonb)) EXECUTE FUNCTION index_labels();

CREATE TRIGGER resources_labels_changed AFTER UPDATE OF labels ON public.resources FOR EACH ROW WHEN ((old.labels <> new.labels)) EXECUTE FUNCTION index_labels();

CREATE TRIGGER resources_labels_removed AFTER DELETE ON public.resources FOR EACH ROW WHEN ((old.labels <> '{}'::jsonb)) EXECUTE FUNCTION index_labels();

CREATE TRIGGER resources_labels_truncated AFTER TRUNCATE ON public.resources FOR EACH STATEMENT EXECUTE FUNCTION clear_labels();

CREATE TRIGGER resources_organization_is_empty AFTER DELETE ON public.resources FOR EACH ROW WHEN ((((old.kind)::text = 'Organization'::text) AND (old.api_group = 'platform.dev'::text))) EXECUTE FUNCTION refuse_organization_with_children();

CREATE TRIGGER resources_owner_released AFTER UPDATE OF owner_references ON public.resources FOR EACH ROW WHEN ((((old.owner_references)::jsonb <> '[]'::jsonb) AND ((old.owner_references)::jsonb <> (new.owner_references)::jsonb))) EXECUTE FUNCTION wake_collector_of_owners();

CREATE TRIGGER resources_pending_cascade BEFORE UPDATE ON public.resources FOR EACH ROW WHEN (((old.deletion_timestamp IS NULL) AND (old.revision <> new.revision) AND ((old.parent_uid IS NOT NULL) OR ((old.owner_references)::jsonb <> '[]'::jsonb)))) EXECUTE FUNCTION stamp_pending_cascade();

CREATE TRIGGER resources_removed_is_logged AFTER DELETE ON public.resources REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION log_removed();

CREATE TRIGGER resources_tombstone_is_fixed AFTER UPDATE OF deletion_timestamp ON public.resources FOR EACH ROW WHEN (((old.deletion_timestamp IS NOT NULL) AND (old.deletion_timestamp IS DISTINCT FROM new.deletion_timestamp))) EXECUTE FUNCTION refuse_resurrection();

CREATE TRIGGER resources_tombstoned AFTER UPDATE OF deletion_timestamp ON public.resources FOR EACH ROW WHEN (((old.deletion_timestamp IS NULL) AND (new.deletion_timestamp IS NOT NULL) AND (current_setting('platform.collecting'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION wake_collector_of_tombstones();

CREATE TRIGGER resources_truncated AFTER TRUNCATE ON public.resources FOR EACH STATEMENT EXECUTE FUNCTION advance_catalog_epoch();

CREATE TRIGGER resources_unprotected AFTER UPDATE OF metadata, deletion_protected ON public.resources FOR EACH ROW WHEN ((old.deletion_protected AND (NOT new.deletion_protected))) EXECUTE FUNCTION wake_collector_of_owners();

CREATE TRIGGER service_accounts_access_added AFTER INSERT ON public.service_accounts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_access_of_accounts();

CREATE TRIGGER service_accounts_access_changed AFTER UPDATE OF uid, email ON public.service_accounts FOR EACH ROW WHEN (((old.uid <> new.uid) OR (old.email <> new.email))) EXECUTE FUNCTION renew_access_version();

CREATE TRIGGER service_accounts_access_removed AFTER DELETE ON public.service_accounts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_access_of_accounts();

CREATE TRIGGER service_accounts_ended AFTER DELETE ON public.service_accounts FOR EACH ROW EXECUTE FUNCTION end_service_account();

CREATE TRIGGER session_revocations_wake AFTER INSERT OR UPDATE ON public.session_revocations FOR EACH STATEMENT EXECUTE FUNCTION wake_revocation_followers();
