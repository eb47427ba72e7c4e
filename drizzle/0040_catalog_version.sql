-- The version of all definitions together, which discovery is cached under. A number would not do: after a failover that lost a change, or a
-- restore, the next change would count up to it again.

alter table catalog_epoch add column version uuid default gen_random_uuid() not null;

create or replace function advance_catalog_epoch() returns trigger language plpgsql as $$
begin
  update catalog_epoch set epoch = epoch + 1, version = gen_random_uuid();
  return null;
end $$;
