-- The DELETE of a row with very many dependents does not write them: it writes one row here, and until the collector has stamped them, every
-- dependent counts as a tombstone with this time, one revision after the stored one. See docs/decisions/0036.

create table pending_cascades (
  owner_uid uuid primary key,
  -- The order of the commits. Of several cascades to one row, the first counts.
  seq bigint generated always as identity unique,
  time timestamp(3) with time zone not null,
  -- The context of the cascade, as in `resources.written`.
  change text[] not null,
  -- The owner, which may be removed before its dependents are stamped.
  api_version text not null collate "C",
  kind text not null collate "C",
  name text not null collate "C",
  parent_uid uuid
);

-- The cascade that a live row waits for, if any.
create function pending_cascade(parent uuid, owners jsonb) returns pending_cascades language sql stable as $$
  select p from pending_cascades p where p.owner_uid = parent or p.owner_uid = any (owner_uids(owners)) order by p.seq limit 1
$$;

-- A write of a row must not commit after a cascade to it, unless it has seen the cascade. No lock of the row itself could tell, because the
-- cascade does not touch it. So writers share a lock for each parent and owner, and a cascade takes it alone. There are 64, so that a
-- transaction never holds more of them than a session has room for.
create function cascade_lock(owner uuid) returns int language sql immutable parallel safe strict
return 1024 + (uuid_hash(owner) & 63);

-- Keeps cascades to a row away until the transaction ends, and tells whether one is pending. Each statement of the function has a snapshot
-- of its own, so the answer is as new as the lock.
create function hold_cascades(parent uuid, owners jsonb) returns boolean language plpgsql volatile as $$
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
end $$;

create function log_cascaded(r resources, cause pending_cascades) returns void language sql volatile as $$
  insert into changes
    (time, seq, xid, uid, revision, removed, written, parent_uid, api_version, kind, name, discriminator, generation, created_at,
     deletion_timestamp, finalizers, owner_references, ancestors, ancestor_uids, labels, metadata, spec, status, scope_uids)
  values (clock_timestamp(), nextval('changes_seq'), pg_current_xact_id(), r.uid, r.revision + 1, false, cause.change,
    r.parent_uid, r.api_version, r.kind, r.name, r.discriminator, r.generation, r.created_at,
    cause.time, r.finalizers, r.owner_references, r.ancestors, r.ancestor_uids, r.labels, r.metadata, r.spec, r.status, r.scope_uids)
$$;

-- Attack: an update reads a row before the DELETE of its parent commits, and is written after that: a live row below a tombstone, and a
-- second state with the revision that readers have seen as the tombstone. It is refused as a serialization failure and run again.
-- A statement that has seen the cascade counts its revision, so it adds two: the tombstone is logged first.
create function stamp_pending_cascade() returns trigger language plpgsql as $$
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
end $$;

create trigger resources_pending_cascade before update on resources for each row
  when (old.deletion_timestamp is null and old.revision <> new.revision and (old.parent_uid is not null or old.owner_references::jsonb <> '[]'))
  execute function stamp_pending_cascade();

-- A row that is removed before it is stamped has been a tombstone for its readers: that is logged first.
create or replace function log_removed() returns trigger language plpgsql as $$
declare
  told jsonb := nullif(current_setting('platform.removal', true), '')::jsonb;
begin
  perform hold_cascades(r.parent_uid, r.owner_references) from old_rows r
  where r.deletion_timestamp is null and (r.parent_uid is not null or r.owner_references::jsonb <> '[]');
  if exists (select from pending_cascades) then
    insert into changes
      (time, seq, xid, uid, revision, removed, written, parent_uid, api_version, kind, name, discriminator, generation, created_at,
       deletion_timestamp, finalizers, owner_references, ancestors, ancestor_uids, labels, metadata, spec, status, scope_uids)
    select clock_timestamp(), nextval('changes_seq'), pg_current_xact_id(), r.uid, r.revision + 1, false, cause.change,
      r.parent_uid, r.api_version, r.kind, r.name, r.discriminator, r.generation, r.created_at,
      cause.time, r.finalizers, r.owner_references, r.ancestors, r.ancestor_uids, r.labels, r.metadata, r.spec, r.status, r.scope_uids
    from old_rows r cross join lateral pending_cascade(r.parent_uid, r.owner_references) as cause
    where r.deletion_timestamp is null and cause.owner_uid is not null;
  end if;
  insert into changes
    (time, seq, xid, uid, revision, removed, written, parent_uid, api_version, kind, name, discriminator, generation, created_at,
     deletion_timestamp, finalizers, owner_references, ancestors, ancestor_uids, labels, metadata, spec, status, scope_uids)
  select clock_timestamp(), nextval('changes_seq'), pg_current_xact_id(), o.uid,
    o.revision + case when o.pending_since is null then 0 else 1 end, true,
    coalesce(
      (select array_agg(member order by place) from jsonb_array_elements_text(o.mine -> 1) with ordinality as each (member, place)),
      case when o.deletion is not null then
        array[case current_setting('platform.collecting', true) when 'on' then 'collect' else 'delete' end] || o.deletion[2:8] end,
      unknown_change(case current_setting('platform.collecting', true) when 'on' then 'collect' else 'delete' end)),
    o.parent_uid, o.api_version, o.kind, o.name, o.discriminator, o.generation, o.created_at,
    coalesce(o.deletion_timestamp, o.pending_since), o.finalizers, o.owner_references, o.ancestors, o.ancestor_uids, o.labels, o.metadata,
    o.spec, o.status, o.scope_uids
  from (
    select r.*, told -> r.uid::text as mine,
      case when r.deletion_timestamp is null and exists (select from pending_cascades)
        then (pending_cascade(r.parent_uid, r.owner_references)).time end as pending_since
    from old_rows r order by (told -> r.uid::text ->> 0)::bigint
  ) as o;
  return null;
end $$;

create function forget_cascades() returns trigger language plpgsql as $$
begin
  delete from pending_cascades;
  return null;
end $$;
create trigger resources_cascades_truncated after truncate on resources for each statement execute function forget_cascades();
