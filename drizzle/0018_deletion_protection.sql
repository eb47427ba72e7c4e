-- Whether the annotations of a row protect it from deletion. A column, so that nobody parses annotations to find that out, and so that a
-- change of other annotations touches no index. A constant default: no row is rewritten.
alter table resources add column deletion_protected boolean not null default false;

create function set_deletion_protected() returns trigger language plpgsql as $$
begin
  new.deletion_protected :=
    coalesce(new.metadata #>> '{annotations,platform.dev/deletion-protection}' = 'true', false);
  return new;
end $$;

-- By triggers, so that the column is right whatever writes the row, the previous release included.
create trigger resources_deletion_protected_of_added before insert on resources
  for each row when (
    new.deletion_protected or new.metadata #>> '{annotations,platform.dev/deletion-protection}' = 'true')
  execute function set_deletion_protected();
create trigger resources_deletion_protected_of_changed before update of metadata, deletion_protected on resources
  for each row when (
    new.deletion_protected <> coalesce(new.metadata #>> '{annotations,platform.dev/deletion-protection}' = 'true', false))
  execute function set_deletion_protected();

-- A cascade waits at a protected row. When the protection goes, the tombstones above it can go on.
create trigger resources_unprotected
  after update of metadata, deletion_protected on resources
  for each row when (old.deletion_protected and not new.deletion_protected)
  execute function wake_collector_of_owners();
