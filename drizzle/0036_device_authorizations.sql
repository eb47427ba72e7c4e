-- Logins of devices without a browser (RFC 8628), until they expire. What an approved device gets is sealed in login_once, under the same hash.

create table device_authorizations (
  device_hash hex_sha256 primary key,
  user_code_hash hex_sha256 not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'denied')),
  -- As the person who confirms sees them.
  client_id text not null,
  scope text not null,
  address text not null,
  user_agent text not null,
  -- A poll before next_poll_at is told to slow down.
  interval_seconds integer not null,
  next_poll_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create unique index device_authorizations_user_code on device_authorizations (user_code_hash);
create index device_authorizations_expiry on device_authorizations (expires_at);
