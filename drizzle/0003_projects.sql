-- Typed resources: projects and teams below an Organization, and what is below a project. Then the people who log in.

create domain label_name as text collate "C"
  check (octet_length(value) <= 63 and value ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$');
create domain email_address as text collate "C" check (octet_length(value) <= 1280 and value ~ '@' and value !~ '[A-Z]');
create domain hex_sha256 as text collate "C" check (value ~ '^[0-9a-f]{64}$');

create table teams (
  uid uuid primary key,
  name label_name not null constraint teams_name_key unique,
  organization_resource_uid uuid not null,
  created_at timestamptz(3) not null default now()
);
create index teams_organization on teams (organization_resource_uid);

create table team_members (
  team_uid uuid not null references teams (uid) on delete cascade,
  email email_address not null,
  role text not null check (role in ('owner', 'member')),
  primary key (team_uid, email)
);
-- The teams of a person: which projects they may open.
create index team_members_email on team_members (email);

create table projects (
  uid uuid primary key,
  name label_name not null constraint projects_name_key unique,
  organization_resource_uid uuid not null,
  access_class text not null check (access_class in ('public', 'private')),
  url text not null,
  -- The origin of url: where a login may send a browser back to.
  url_origin text collate "C" not null,
  custom_domains text[] not null default '{}',
  owner_user email_address,
  owner_team uuid constraint projects_owner_team_fkey references teams (uid),
  members text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  constraint projects_one_owner check (num_nonnulls(owner_user, owner_team) = 1)
);
create index projects_organization on projects (organization_resource_uid);
create index projects_url_origin on projects (url_origin);
-- The projects of a person: listing what they may see.
create index projects_owner_user on projects (owner_user) where owner_user is not null;
create index projects_owner_team on projects (owner_team) where owner_team is not null;
create index projects_members on projects using gin (members) where members <> '{}';

-- A foreign key to resources would ask here for every resource that is removed. This asks for Organizations alone. It is the
-- last line: the service refuses before, under the lock that an insert below takes on the Organization's row.
create function refuse_organization_with_children() returns trigger language plpgsql as $$
begin
  if exists (select from projects where organization_resource_uid = old.uid)
    or exists (select from teams where organization_resource_uid = old.uid) then
    raise exception 'the organization has projects or teams' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger resources_organization_is_empty after delete on resources
  for each row when (old.kind = 'Organization' and old.api_group = 'platform.dev')
  execute function refuse_organization_with_children();

create table environments (
  uid uuid primary key,
  project_uid uuid not null constraint environments_project_fkey references projects (uid) on delete cascade,
  name label_name not null,
  created_at timestamptz(3) not null default now(),
  constraint environments_name_key unique (project_uid, name)
);

create table service_accounts (
  uid uuid primary key,
  project_uid uuid not null constraint service_accounts_project_fkey references projects (uid) on delete cascade,
  name label_name not null,
  email text collate "C" not null unique,
  issuer_url text collate "C" not null,
  claims json not null,
  created_at timestamptz(3) not null default now(),
  constraint service_accounts_name_key unique (project_uid, name)
);
-- Which issuers may be contacted at all.
create index service_accounts_issuer on service_accounts (issuer_url);

create table deployments (
  uid uuid primary key,
  project_uid uuid not null constraint deployments_project_fkey references projects (uid) on delete cascade,
  name label_name not null,
  environment label_name not null,
  credential_hash hex_sha256 not null unique,
  created_at timestamptz(3) not null default now(),
  constraint deployments_name_key unique (project_uid, name),
  -- At commit: deleting a project removes both sides, in an order of the database's own.
  constraint deployments_environment_fkey foreign key (project_uid, environment)
    references environments (project_uid, name) deferrable initially deferred
);
create index deployments_environment on deployments (project_uid, environment);

create table extensions (
  uid uuid primary key,
  project_uid uuid not null constraint extensions_project_fkey references projects (uid) on delete cascade,
  name label_name not null,
  spec json not null,
  sealed_upstream_secret text not null,
  client_secrets json not null,
  created_at timestamptz(3) not null default now(),
  constraint extensions_name_key unique (project_uid, name)
);

create table users (
  uid uuid primary key,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  email text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint users_identity_key unique (issuer, subject)
);

-- States that were used and codes that were not: hashes of values, and sealed texts.
create table login_once (
  hash hex_sha256 primary key,
  sealed text,
  expires_at timestamptz(3) not null
);
create index login_once_expiry on login_once (expires_at);
