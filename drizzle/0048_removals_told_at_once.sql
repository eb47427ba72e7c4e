-- The log entries of removed rows are written by one statement instead of two, and the context of their removals is read as arrays: a JSON
-- look-up for each row was a fifth of the time of a collection. The statement that deletes rows tells the context of each removal and their
-- order in platform.removals, and nothing for rows that inherit it from their deletion (docs/store.md).
-- The collector disables hash joins for its own statements, which look up rows by key. The contexts have no key.
create or replace function log_removed() returns trigger language plpgsql set enable_hashjoin = on as $$
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
end $$;
