-- Logins under way at the OAuth proxy, and the keys that its ID tokens are signed with.
-- The values themselves are never stored: a state or code is known by its SHA-256, everything beside it is sealed.

create domain sha256 as bytea check (octet_length(value) = 32);

create table oauth_states (
  hash sha256 primary key,
  extension_uid uuid not null,
  sealed text not null,
  expires_at timestamptz(3) not null
);
create index oauth_states_expiry on oauth_states (expires_at);

create table oauth_codes (
  hash sha256 primary key,
  extension_uid uuid not null,
  sealed text not null,
  expires_at timestamptz(3) not null
);
create index oauth_codes_expiry on oauth_codes (expires_at);

create table oauth_signing_keys (
  -- Replicas race for the next number: the primary key lets one of them have it.
  sequence integer primary key check (sequence >= 1),
  public_key json_document not null,
  sealed_private_key text not null,
  created_at timestamptz(3) not null
);
