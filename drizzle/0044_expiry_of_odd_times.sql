-- Partitions of audit records and of the change log for times that the clocks of machines get wrong.

-- Records from before the oldest partition: of a machine whose clock was behind, and of entries of the change log that are moved here after
-- `audit.retention_days` was raised, when their month was dropped already.
create table audit_records_other partition of audit_records default;

-- `audit_records_rest` may hold records of a machine whose clock is ahead. They must not keep it from becoming the partition of the months
-- that it covers, so they wait beside and go into the new partitions.
create or replace function prepare_audit_partitions() returns void language plpgsql as $$
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
end $$;

-- The same for the change log, whose times are by the clock of the database.
create or replace function prepare_change_partitions() returns void language plpgsql as $$
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
end $$;
