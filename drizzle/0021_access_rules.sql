-- Roles and bindings have one version: a random value, so that it differs after every change and also after a restore or a failover that
-- lost one. Statements of callers with bindings compare it.
create table access_rules (
  singleton boolean primary key default true check (singleton),
  version uuid not null default gen_random_uuid(),
  -- Set once, so that a deleted role of the first start does not come back.
  roles_created boolean not null default false
) with (fillfactor = 10);
insert into access_rules default values;

create function renew_access_version() returns trigger language plpgsql as $$
begin
  update access_rules set version = gen_random_uuid();
  return null;
end $$;

-- Conditions look at stored columns only, so the triggers cost other rows nothing but the comparison of their kind.
create trigger resources_access_added after insert on resources
  for each row when (new.kind in ('Role', 'RoleBinding') and new.api_group = 'platform.dev')
  execute function renew_access_version();
create trigger resources_access_changed after update of spec on resources
  for each row when (
    new.kind in ('Role', 'RoleBinding') and new.api_group = 'platform.dev' and old.spec::text <> new.spec::text)
  execute function renew_access_version();
create trigger resources_access_removed after delete on resources
  for each row when (old.kind in ('Role', 'RoleBinding') and old.api_group = 'platform.dev')
  execute function renew_access_version();
create trigger resources_access_truncated after truncate on resources
  for each statement execute function renew_access_version();
-- A binding covers the service account that has its address now.
create trigger service_accounts_access_changed after insert or update or delete on service_accounts
  for each statement execute function renew_access_version();

-- The scope of a RoleBinding and everything above it: a binding is authorized in its scope. Parents never change, so it stays true.
alter table resources add column scope_uids uuid[];

create function set_binding_scope() returns trigger language plpgsql as $$
begin
  new.scope_uids := case when new.spec -> 'scope' ->> 'uid' is not null
    then (select uids from ancestors_below((new.spec -> 'scope' ->> 'uid')::uuid)) end;
  return new;
end $$;

-- Generated columns have no value yet before a write, so the conditions look at api_version.
create trigger resources_binding_scope_of_added before insert on resources
  for each row when (new.kind = 'RoleBinding' and new.api_version like 'platform.dev/%')
  execute function set_binding_scope();
create trigger resources_binding_scope_of_changed before update of spec on resources
  for each row when (
    new.kind = 'RoleBinding' and new.api_version like 'platform.dev/%' and old.spec::text <> new.spec::text)
  execute function set_binding_scope();
