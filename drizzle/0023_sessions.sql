-- Live sessions, and the ends of sessions that replicas follow. A session token is valid without its row: only a revocation ends it.

create table sessions (
  id uuid primary key,
  user_uid uuid not null,
  email text not null,
  -- In lower case, A to Z only.
  folded_email text collate "C" not null,
  issuer text collate "C",
  subject text collate "C",
  provider_session text collate "C",
  user_agent text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
-- Lists of one user's sessions, and their sign-out.
create index sessions_user on sessions (user_uid, id);
create index sessions_email on sessions (folded_email, id);
-- Logouts at the identity provider.
create index sessions_account on sessions (subject, issuer);
create index sessions_provider_session on sessions (provider_session, issuer);
create index sessions_expiry on sessions (expires_at);

create table session_revocations (
  -- session:<id>, user:<uid> or email:<folded address>
  key text collate "C" primary key,
  -- Sessions of the key that started until then have ended.
  ended_until timestamptz(3) not null,
  revoked_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index session_revocations_order on session_revocations (revoked_at, key);
create index session_revocations_expiry on session_revocations (expires_at);

create function wake_revocation_followers() returns trigger language plpgsql as $$
begin
  perform pg_notify('platform_sessions', '');
  return null;
end $$;
create trigger session_revocations_wake after insert or update on session_revocations
  for each statement execute function wake_revocation_followers();
