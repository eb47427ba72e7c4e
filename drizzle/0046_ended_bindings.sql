-- Roles and bindings grant nothing from their deletion timestamp on, so they get a new version with it.
create or replace trigger resources_access_changed after update of spec, deletion_timestamp on resources
  for each row when (
    new.kind in ('Role', 'RoleBinding') and new.api_group = 'platform.dev' and (
      old.spec::text <> new.spec::text or old.deletion_timestamp is distinct from new.deletion_timestamp))
  execute function renew_access_version();
-- A wide deletion may be of the owner of a binding, whose timestamp follows from it.
create trigger pending_cascades_access_changed after insert on pending_cascades
  for each statement execute function renew_access_version();
