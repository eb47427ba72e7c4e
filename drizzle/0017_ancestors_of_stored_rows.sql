-- migrate: in slices
-- Gives rows that were stored before the last migration their ancestors. In uid order, like everybody who locks several rows. The
-- revision stays: this is no change that a client could see.
with slice as materialized (
  select uid, parent_uid from resources
  where uid > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') and parent_uid is not null and ancestors = '{}'
  order by uid limit 1000 for no key update
),
filled as (
  update resources r set ancestors = above.names, ancestor_uids = above.uids
  from slice cross join lateral ancestors_below(slice.parent_uid) as above where r.uid = slice.uid
)
select uid::text from slice order by uid desc limit 1
