-- The answers of requests with idempotency keys, for a day. Keys and bodies are hashes; the answers are resources.

create table answered_requests (
  key_hash text primary key,
  body_hash text not null,
  status integer not null,
  headers json not null,
  body text not null,
  expires_at timestamptz(3) not null
);
create index answered_requests_expiry on answered_requests (expires_at);
