-- What the plans of statements on a million rows asked for.

-- Indexes that serve a page or a look-up by themselves, each in the place of one that served a part of it: as many to keep up as before.

-- A page of what an Organization has, in the order of names.
create index projects_organization_name on projects (organization_resource_uid, name);
drop index projects_organization;
create index teams_organization_name on teams (organization_resource_uid, name);
drop index teams_organization;

-- One issuer may vouch for the accounts of every project.
create index service_accounts_issuer_project on service_accounts (issuer_url, project_uid);
drop index service_accounts_issuer;

-- Led by the environment: led by the project it looked as good as the index over names for finding one deployment, which it is not where a
-- project has many. It serves the foreign key, which compares both columns.
create index deployments_environment_project on deployments (environment, project_uid);
drop index deployments_environment;

-- Offset 0 keeps each look-up one by key: where few rows were tombstoned when the plan was made, it walked all tombstones for each row
-- that was deleted or changed its owners.
create or replace function wake_collector_of_owners() returns trigger language plpgsql as $$
begin
  perform pg_notify('platform_collector', 'look ' || owner.uid) from (
    select uid, deletion_timestamp from resources
    where uid = any (array_append(owner_uids(old.owner_references), old.parent_uid)) offset 0
  ) as owner where owner.deletion_timestamp is not null;
  return null;
end $$;
