-- The ancestors of a resource, root first: their names and uids. Neither names nor parents change, so the columns are written once.
-- Empty for root rows. Rows that were stored before have empty lists until the next migration.

alter table resources
  add column ancestors text[] collate "C" not null default '{}',
  add column ancestor_uids uuid[] not null default '{}';

-- The names and uids of a parent and of what is above it. Walks up through parent_uid, because rows may not have their lists yet. A chain
-- of parents has at most 32 rows; the bound ends a walk in a circle.
create function ancestors_below(parent uuid, out names text[], out uids uuid[]) language sql stable as $$
  with recursive above (uid, name, parent_uid, distance) as (
    select uid, name::text, parent_uid, 1 from resources where uid = parent
    union all
    select r.uid, r.name::text, r.parent_uid, above.distance + 1
    from above join resources r on r.uid = above.parent_uid where above.distance < 64
  )
  select coalesce(array_agg(name order by distance desc), '{}'), coalesce(array_agg(uid order by distance desc), '{}') from above
$$;

create function set_ancestors() returns trigger language plpgsql as $$
begin
  select names, uids into new.ancestors, new.ancestor_uids from ancestors_below(new.parent_uid);
  return new;
end $$;

-- For writers that do not send the lists: replicas of the previous release, and SQL by hand.
create trigger resources_ancestors before insert on resources
  for each row when (new.parent_uid is not null and (new.ancestors = '{}' or new.ancestor_uids = '{}'))
  execute function set_ancestors();

create trigger resources_ancestors_are_fixed after update of ancestors, ancestor_uids on resources
  for each row when (
    (old.ancestors, old.ancestor_uids) is distinct from (new.ancestors, new.ancestor_uids)
    and (old.parent_uid is null or old.ancestors <> '{}'))
  execute function refuse_identity_change();
