-- Whether anything depends on a row. The function takes a snapshot of its own: a statement that has locked the row before it asks misses no
-- dependent, also none that was committed while the statement ran. A locked row gets no new ones.
create function has_dependents(owner uuid) returns boolean language plpgsql volatile as $$
begin
  return exists (select from resources c where c.parent_uid = owner)
    or exists (select from resources o where o.owner_references <> '[]' and owner_uids(o.owner_references) @> array[owner]);
end $$;
