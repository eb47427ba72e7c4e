-- Streams and lists of removed RoleBindings show callers with a scope those in it, so that entries of bindings have the scope.
alter table changes add column scope_uids uuid[];

create or replace function log_created() returns trigger language plpgsql as $$
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
end $$;

-- Writes that keep the revision are no changes. `not in` is a hashed look-up whatever the settings of the transaction are.
create or replace function log_changed() returns trigger language plpgsql as $$
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
end $$;

-- The statement tells the context of each removal and their order in platform.removal (docs/store.md).
create or replace function log_removed() returns trigger language plpgsql as $$
declare
  told jsonb := nullif(current_setting('platform.removal', true), '')::jsonb;
begin
  insert into changes
    (time, seq, xid, uid, revision, removed, written, parent_uid, api_version, kind, name, discriminator, generation, created_at,
     deletion_timestamp, finalizers, owner_references, ancestors, ancestor_uids, labels, metadata, spec, status, scope_uids)
  select clock_timestamp(), nextval('changes_seq'), pg_current_xact_id(), o.uid, o.revision, true,
    coalesce(
      (select array_agg(member order by place) from jsonb_array_elements_text(o.mine -> 1) with ordinality as each (member, place)),
      case when o.deletion is not null then
        array[case current_setting('platform.collecting', true) when 'on' then 'collect' else 'delete' end] || o.deletion[2:8] end,
      unknown_change(case current_setting('platform.collecting', true) when 'on' then 'collect' else 'delete' end)),
    o.parent_uid, o.api_version, o.kind, o.name, o.discriminator, o.generation, o.created_at,
    o.deletion_timestamp, o.finalizers, o.owner_references, o.ancestors, o.ancestor_uids, o.labels, o.metadata, o.spec, o.status, o.scope_uids
  from (
    select r.*, told -> r.uid::text as mine from old_rows r order by (told -> r.uid::text ->> 0)::bigint
  ) as o;
  return null;
end $$;

-- Ancestors never change, so that older entries can have it, too. They are as few as bindings were written, and found by an index.
update changes c
set scope_uids = case when exists (select from resources s where s.uid = (c.spec -> 'scope' ->> 'uid')::uuid)
  then (select uids from ancestors_below((c.spec -> 'scope' ->> 'uid')::uuid))
  else (
    select r.scope_uids from resources r where r.uid = c.uid and r.spec -> 'scope' ->> 'uid' = c.spec -> 'scope' ->> 'uid')
  end
where c.kind || '' = 'RoleBinding' and c.api_version like 'platform.dev/%' and c.spec -> 'scope' ->> 'uid' is not null;
