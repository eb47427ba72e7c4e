-- The addresses of projects: each URL (origin and path, without a slash at the end) and each custom domain belongs to one project.

create table project_addresses (
  project_uid uuid not null references projects (uid) on delete cascade,
  address text collate "C" not null,
  origin text collate "C" not null,
  is_url boolean not null,
  -- Another project has the address. The service refuses such writes; rows of this sort are from version 0.24.0, and nothing trusts them.
  contested boolean not null default false,
  primary key (project_uid, address)
);

create function project_address(origin text, url text) returns text language sql immutable strict
  return origin || rtrim(regexp_replace(url, '^[A-Za-z]+://[^/]*', ''), '/');

insert into project_addresses (project_uid, address, origin, is_url, contested)
select uid, address, origin, is_url, row_number() over (partition by address order by created_at, uid) > 1
from (
  select p.uid, p.created_at, a.address, a.origin, bool_or(a.is_url) as is_url
  from projects p
  cross join lateral (
    select project_address(p.url_origin, p.url) as address, p.url_origin as origin, true as is_url
    union all
    select domain, domain, false from unnest(p.custom_domains) as domain
  ) as a
  group by p.uid, p.created_at, a.address, a.origin
) as wanted;

do $$
declare
  row record;
begin
  for row in
    select a.address, p.name from project_addresses a join projects p on p.uid = a.project_uid where a.contested order by 1, 2 limit 100
  loop
    raise warning 'address % of project % belongs to an older project: nothing trusts it until one of them is changed', row.address, row.name;
  end loop;
end $$;

create unique index project_addresses_key on project_addresses (address) where not contested;
-- Where a login may send a browser back to.
create index project_addresses_origin on project_addresses (origin) where is_url and not contested;

-- A trigger, so that projects that a replica of the previous version writes during an upgrade have their addresses too. It marks what is taken;
-- the service then undoes its write. Of two that take an address at once, the unique index refuses one.
create function claim_project_addresses() returns trigger language plpgsql as $$
begin
  delete from project_addresses where project_uid = new.uid;
  insert into project_addresses (project_uid, address, origin, is_url, contested)
  select new.uid, wanted.address, wanted.origin, bool_or(wanted.is_url),
    exists (select from project_addresses a where a.address = wanted.address and not a.contested)
  from (
    select project_address(new.url_origin, new.url) as address, new.url_origin as origin, true as is_url
    union all
    select domain, domain, false from unnest(new.custom_domains) as domain
  ) as wanted
  group by wanted.address, wanted.origin
  order by wanted.address;
  return null;
end $$;
create trigger projects_addresses after insert or update of url, url_origin, custom_domains on projects
  for each row execute function claim_project_addresses();
