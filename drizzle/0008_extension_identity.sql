-- The identity of an extension towards its app: a client id that no other extension has, and signing keys of its own.

-- `<project>-<extension>`. Names may contain hyphens, so app-a/b-c and app-a-b/c would have the same one. The trigger sets it for every
-- writer, older releases included.
alter table extensions add column client_id text collate "C";

create function set_extension_client_id() returns trigger language plpgsql as $$
begin
  select p.name || '-' || new.name into new.client_id from projects p where p.uid = new.project_uid;
  return new;
end $$;
create trigger extensions_client_id before insert on extensions
  for each row execute function set_extension_client_id();

-- Of extensions that already share a client id, the oldest gets it here. The others keep working without an entry and are
-- reported by fsck, until somebody creates them again under another name.
update extensions e set client_id = c.client_id
from (
  select e.uid, p.name || '-' || e.name as client_id,
    row_number() over (partition by p.name || '-' || e.name order by e.created_at, e.uid) as place
  from extensions e join projects p on p.uid = e.project_uid
) c
where c.uid = e.uid and c.place = 1;

create unique index extensions_client_id_key on extensions (client_id);

create table extension_signing_keys (
  extension_uid uuid not null constraint extension_signing_keys_extension_fkey references extensions (uid) on delete cascade,
  -- Replicas race for the next number: the primary key lets one of them have it.
  sequence integer not null check (sequence >= 1),
  public_key json_document not null,
  sealed_private_key text not null,
  created_at timestamptz(3) not null,
  primary key (extension_uid, sequence)
);

-- The keys that all extensions shared. They stop signing when this is applied, and are published until tokens of them have expired.
alter table oauth_signing_keys add column retired_at timestamptz(3) not null default now();
