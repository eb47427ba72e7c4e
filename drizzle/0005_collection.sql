-- What the collector needs beside the rows: one leader among its replicas, a switch, and to be woken.

create table leases (
  name text primary key,
  -- Null when it was given back.
  holder text,
  -- Grows with every change of holder.
  token bigint not null default 0,
  -- By the clock of the database alone.
  expires_at timestamptz(3) not null default '-infinity',
  -- Set while an operator keeps the work under this lease from being done, whoever holds it.
  paused_since timestamptz(3)
) with (fillfactor = 10);
insert into leases (name) values ('collector');

-- Triggers, so that the collector is woken by whatever statement frees a row, by hand included, and a new statement of the service cannot
-- forget to. The conditions keep them off everything else: a write of a live row costs nothing (measured: 32 clients writing status,
-- no difference). `platform.collecting` is set by the collector's own transactions, which need not wake it.
create function wake_collector_of_tombstones() returns trigger language plpgsql as $$
begin
  -- The same text for every row of a transaction, so that it is one notification however wide the cascade.
  perform pg_notify('platform_collector',
    'tombstoned ' || (extract(epoch from new.deletion_timestamp) * 1000)::bigint);
  return null;
end $$;

create function wake_collector_of_row() returns trigger language plpgsql as $$
begin
  perform pg_notify('platform_collector', 'look ' || new.uid);
  return null;
end $$;

-- What the row blocked, or may have blocked, if it is tombstoned; nobody waits for a live one.
create function wake_collector_of_owners() returns trigger language plpgsql as $$
begin
  perform pg_notify('platform_collector', 'look ' || uid) from resources
    where uid = any (array_append(owner_uids(old.owner_references), old.parent_uid)) and deletion_timestamp is not null;
  return null;
end $$;

create trigger resources_tombstoned
  after update of deletion_timestamp on resources
  for each row when (
    old.deletion_timestamp is null and new.deletion_timestamp is not null
    and current_setting('platform.collecting', true) is distinct from 'on')
  execute function wake_collector_of_tombstones();

create trigger resources_finalizer_removed
  after update of finalizers on resources
  for each row when (
    new.deletion_timestamp is not null and not old.finalizers <@ new.finalizers
    and current_setting('platform.collecting', true) is distinct from 'on')
  execute function wake_collector_of_row();

create trigger resources_owner_released
  after update of owner_references on resources
  for each row when (old.owner_references <> '[]' and old.owner_references <> new.owner_references)
  execute function wake_collector_of_owners();

create trigger resources_dependent_removed
  after delete on resources
  for each row when (
    (old.parent_uid is not null or old.owner_references <> '[]')
    and current_setting('platform.collecting', true) is distinct from 'on')
  execute function wake_collector_of_owners();
