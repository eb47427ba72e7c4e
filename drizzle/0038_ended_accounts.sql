-- Streams of a service account end with it, on every replica: its deletion is told like the end of a session. Uids do not come back, and a
-- stream lasts an hour at most.

create function end_service_account() returns trigger language plpgsql as $$
begin
  insert into session_revocations (key, ended_until, revoked_at, expires_at)
  values ('user:' || old.uid, clock_timestamp(), clock_timestamp(), clock_timestamp() + interval '1 day');
  return null;
end $$;
create trigger service_accounts_ended after delete on service_accounts
  for each row execute function end_service_account();
