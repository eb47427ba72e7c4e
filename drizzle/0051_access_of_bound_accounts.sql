-- The version of roles and bindings was renewed by each statement on service accounts, also one that found none. Attack: a member of a project
-- writes accounts that no binding names, or deletes one that does not exist, as fast as possible: every replica reads all bindings again and
-- again, and requests of callers with bindings end with 503. An account counts where a binding names its address, and only then.
create function is_account_bound(addresses text[]) returns boolean language sql stable as $$
  select exists (
    select from resources b
    cross join lateral json_array_elements(
      case json_typeof(b.spec -> 'subjects') when 'array' then b.spec -> 'subjects' else '[]' end) as subject
    where b.parent_uid is null and b.api_group = 'platform.dev' and b.kind = 'RoleBinding'
      and json_typeof(subject) = 'object' and subject ->> 'kind' = 'ServiceAccount' and lower(subject ->> 'name') = any (addresses))
$$;

create function renew_access_of_accounts() returns trigger language plpgsql as $$
declare
  addresses constant text[] := array(select email from changed);
  known constant uuid := (select version from access_rules);
  bound boolean;
begin
  if addresses = '{}' then return null; end if;
  bound := is_account_bound(addresses);
  if not bound then
    -- Waits for writes of bindings that have not committed, and lets no other one begin: one of them may name the account.
    perform from access_rules for no key update;
    if (select version from access_rules) is distinct from known then bound := is_account_bound(addresses); end if;
  end if;
  if bound then update access_rules set version = gen_random_uuid(); end if;
  return null;
end $$;

drop trigger service_accounts_access_changed on service_accounts;
create trigger service_accounts_access_added after insert on service_accounts
  referencing new table as changed for each statement execute function renew_access_of_accounts();
create trigger service_accounts_access_removed after delete on service_accounts
  referencing old table as changed for each statement execute function renew_access_of_accounts();
-- The service changes neither.
create trigger service_accounts_access_changed after update of uid, email on service_accounts
  for each row when (old.uid <> new.uid or old.email <> new.email) execute function renew_access_version();
