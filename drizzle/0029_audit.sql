-- Audit records. docs/audit.md describes them.

create table audit_records (
  time timestamptz(3) not null,
  id uuid not null,
  action text not null collate "C",
  outcome text not null collate "C",
  actor_type text not null collate "C",
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
  primary key (time, id)
) partition by range (time);

-- One for each filter, in the order of a list.
create index audit_records_actor on audit_records (lower(actor_id collate "C"), time, id);
create index audit_records_action on audit_records (action, time, id);
create index audit_records_outcome on audit_records (outcome, time, id) where outcome <> 'allowed';
create index audit_records_request on audit_records (request_id, time, id) where request_id is not null;
create index audit_records_resource on audit_records (resource_uid, time, id) where resource_uid is not null;
create index audit_records_kind on audit_records (kind, time, id) where kind is not null;
create index audit_records_project on audit_records (project, time, id) where project is not null;

-- A partition a month, for this one, the one before and two ahead. `audit_records_rest` takes everything later, so that no record is lost
-- when no collector has run for longer than that; it becomes the partition of the months that it covers.
create function prepare_audit_partitions() returns void language plpgsql as $$
declare
  this_month date := date_trunc('month', now() at time zone 'UTC')::date;
  ahead constant date := (this_month + interval '2 months')::date;
  month date;
  last date := (
    select max(to_date(right(c.relname, 6), 'YYYYMM')) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_records'::regclass and c.relname ~ '^audit_records_\d{6}$');
begin
  if last >= ahead then return; end if;
  if last is null then
    last := (this_month - interval '2 months')::date;
  else
    alter table audit_records detach partition audit_records_rest;
    if exists (select from audit_records_rest) then
      execute format('alter table audit_records_rest rename to audit_records_%s', to_char(this_month, 'YYYYMM'));
      execute format('alter table audit_records attach partition audit_records_%s for values from (%L) to (%L)',
        to_char(this_month, 'YYYYMM'), (last + interval '1 month') at time zone 'UTC',
        (this_month + interval '1 month') at time zone 'UTC');
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
end $$;
select prepare_audit_partitions();

-- Drops the months that end before the instant.
create function drop_audit_partitions(before timestamptz) returns int language plpgsql as $$
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
end $$;
