-- An operator may have signed the service account out, which left a revocation with the same key: the deletion of the account, or of its
-- project, then failed.

create or replace function end_service_account() returns trigger language plpgsql as $$
begin
  insert into session_revocations (key, ended_until, revoked_at, expires_at)
  values ('user:' || old.uid, clock_timestamp(), clock_timestamp(), clock_timestamp() + interval '1 day')
  on conflict (key) do update set
    ended_until = greatest(session_revocations.ended_until, excluded.ended_until),
    revoked_at = excluded.revoked_at,
    expires_at = greatest(session_revocations.expires_at, excluded.expires_at);
  return null;
end $$;
