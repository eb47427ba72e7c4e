-- The change log: every committed write of a resource appends one entry in its transaction. docs/change-log.md describes it.

-- Drawn while the row of the resource is locked, so that it grows with the revisions of one resource. No cache, for the same reason.
create sequence changes_seq as bigint;

-- `written` is the context of the write, in the form of resources.written; the other columns are those of the resource.
create table changes (
  time timestamptz(3) not null,
  seq bigint not null,
  xid xid8 not null,
  uid uuid not null,
  revision bigint not null,
  removed boolean not null,
  written text[] not null,
  parent_uid uuid,
  api_version text not null collate "C",
  kind text not null collate "C",
  name text not null collate "C",
  discriminator text not null collate "C",
  generation bigint not null,
  created_at timestamptz(3) not null,
  deletion_timestamp timestamptz(3),
  finalizers text[] not null,
  owner_references jsonb not null,
  ancestors text[] not null collate "C",
  ancestor_uids uuid[] not null,
  labels jsonb not null,
  metadata json not null,
  spec json not null,
  status json not null,
  primary key (time, seq)
) partition by range (time);

-- Readers find the entries of a tick by their transactions.
create index changes_xid on changes (xid, seq);
create index changes_history on changes (uid, revision);
create index changes_removed on changes (parent_uid, kind, seq) where removed;
create index changes_removed_name on changes (name, kind) where removed;
create index changes_cascade on changes ((written[6])) where removed;

-- Documents are stored once more, so their compression has to be cheap. Not every server is built with lz4.
do $$
begin
  alter table changes alter column metadata set compression lz4, alter column spec set compression lz4,
    alter column status set compression lz4;
exception when feature_not_supported then null;
end $$;

-- The days have partitions for one to two weeks ahead. `changes_rest` takes everything later, so that no write fails when no collector has
-- run for longer than that; what it holds then stays together in one partition.
create function prepare_change_partitions() returns void language plpgsql as $$
declare
  today date := (now() at time zone 'UTC')::date;
  ahead constant int := 14;
  day date;
  last date := (
    select max(to_date(right(c.relname, 8), 'YYYYMMDD')) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'changes'::regclass and c.relname ~ '^changes_\d{8}$');
begin
  if last >= today + 7 then return; end if;
  if last is null then
    last := today - 1;
  else
    alter table changes detach partition changes_rest;
    if exists (select from changes_rest) then
      execute format('alter table changes_rest rename to changes_%s', to_char(today, 'YYYYMMDD'));
      execute format('alter table changes attach partition changes_%s for values from (%L) to (%L)',
        to_char(today, 'YYYYMMDD'), (last + 1)::timestamp at time zone 'UTC', (today + 1)::timestamp at time zone 'UTC');
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
end $$;
select prepare_change_partitions();

-- Drops the partitions that end before the instant.
create function drop_change_partitions(before timestamptz) returns int language plpgsql as $$
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
end $$;

-- A tick says how far the log is: the entries of tick n are those that its snapshot shows and that of tick n-1 does not. `mark` tells ticks of
-- the same number apart when a failover or a restore has lost some. Entries up to `floor` are older than the cluster: their transactions
-- are those of another one.
create table change_ticks (
  tick bigint primary key,
  time timestamptz(3) not null,
  mark bigint not null,
  snapshot pg_snapshot not null,
  floor bigint not null
);
create index change_ticks_time on change_ticks (time);

-- The newest tick. `store` is part of every cursor, so that those of another database are told apart from expired ones.
create table change_log (
  singleton boolean primary key default true check (singleton),
  store uuid not null default gen_random_uuid(),
  system_identifier bigint not null,
  tick bigint not null,
  mark bigint not null,
  snapshot pg_snapshot not null,
  floor bigint not null
) with (fillfactor = 10);

insert into change_ticks (tick, time, mark, snapshot, floor)
  values (1, now(), (random() * 9007199254740991)::bigint, pg_current_snapshot(), 0);
insert into change_log (system_identifier, tick, mark, snapshot, floor)
  select (select system_identifier from pg_control_system()), tick, mark, snapshot, floor from change_ticks;
insert into leases (name) values ('change-ticker') on conflict do nothing;

-- The context of a write that has none: by SQL, or by the previous release.
create function unknown_change(operation text) returns text[] language sql stable as $$
  select array[operation, 'system', case current_setting('platform.collecting', true) when 'on' then 'collector' else 'unknown' end,
    null, null, null, null, null]
$$;

create function log_created() returns trigger language plpgsql as $$
begin
  insert into changes
    (time, seq, xid, uid, revision, removed, written, parent_uid, api_version, kind, name, discriminator, generation, created_at,
     deletion_timestamp, finalizers, owner_references, ancestors, ancestor_uids, labels, metadata, spec, status)
  select clock_timestamp(), nextval('changes_seq'), pg_current_xact_id(), n.uid, n.revision, false,
    case when n.written_revision = n.revision then n.written else unknown_change('create') end,
    n.parent_uid, n.api_version, n.kind, n.name, n.discriminator, n.generation, n.created_at,
    n.deletion_timestamp, n.finalizers, n.owner_references, n.ancestors, n.ancestor_uids, n.labels, n.metadata, n.spec, n.status
  from new_rows n;
  return null;
end $$;

-- Writes that keep the revision are no changes. `not in` is a hashed look-up whatever the settings of the transaction are.
create function log_changed() returns trigger language plpgsql as $$
begin
  insert into changes
    (time, seq, xid, uid, revision, removed, written, parent_uid, api_version, kind, name, discriminator, generation, created_at,
     deletion_timestamp, finalizers, owner_references, ancestors, ancestor_uids, labels, metadata, spec, status)
  select clock_timestamp(), nextval('changes_seq'), pg_current_xact_id(), n.uid, n.revision, false,
    case
      when n.written_revision = n.revision then n.written
      when n.deletion_timestamp = now()::timestamptz(3) then
        unknown_change(case current_setting('platform.collecting', true) when 'on' then 'cascade' else 'delete' end)
      else unknown_change(case current_setting('platform.collecting', true) when 'on' then 'release' else 'update' end)
    end,
    n.parent_uid, n.api_version, n.kind, n.name, n.discriminator, n.generation, n.created_at,
    n.deletion_timestamp, n.finalizers, n.owner_references, n.ancestors, n.ancestor_uids, n.labels, n.metadata, n.spec, n.status
  from new_rows n where (n.uid, n.revision) not in (select o.uid, o.revision from old_rows o);
  return null;
end $$;

-- The statement tells the context of each removal and their order in platform.removal (docs/store.md).
create function log_removed() returns trigger language plpgsql as $$
declare
  told jsonb := nullif(current_setting('platform.removal', true), '')::jsonb;
begin
  insert into changes
    (time, seq, xid, uid, revision, removed, written, parent_uid, api_version, kind, name, discriminator, generation, created_at,
     deletion_timestamp, finalizers, owner_references, ancestors, ancestor_uids, labels, metadata, spec, status)
  select clock_timestamp(), nextval('changes_seq'), pg_current_xact_id(), o.uid, o.revision, true,
    coalesce(
      (select array_agg(member order by place) from jsonb_array_elements_text(o.mine -> 1) with ordinality as each (member, place)),
      case when o.deletion is not null then
        array[case current_setting('platform.collecting', true) when 'on' then 'collect' else 'delete' end] || o.deletion[2:8] end,
      unknown_change(case current_setting('platform.collecting', true) when 'on' then 'collect' else 'delete' end)),
    o.parent_uid, o.api_version, o.kind, o.name, o.discriminator, o.generation, o.created_at,
    o.deletion_timestamp, o.finalizers, o.owner_references, o.ancestors, o.ancestor_uids, o.labels, o.metadata, o.spec, o.status
  from (
    select r.*, told -> r.uid::text as mine from old_rows r order by (told -> r.uid::text ->> 0)::bigint
  ) as o;
  return null;
end $$;

create trigger resources_created_is_logged after insert on resources
  referencing new table as new_rows for each statement execute function log_created();
create trigger resources_changed_is_logged after update on resources
  referencing old table as old_rows new table as new_rows for each statement execute function log_changed();
create trigger resources_removed_is_logged after delete on resources
  referencing old table as old_rows for each statement execute function log_removed();
