-- When the service first started with each of its keys, for `platform keys`. A row for each key that was ever configured; none holds a secret.
create table known_keys (
  purpose text not null check (purpose in ('encryption', 'sessions', 'identity')),
  id text not null,
  first_used_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  primary key (purpose, id)
);
