-- The plans of deletions that were shown, for a day, so that a DELETE that names one can tell what has changed.
create table deletion_plans (
  hash hex_sha256 primary key,
  root_uid uuid not null,
  -- Identities, in the order of the plan.
  resources json not null,
  expires_at timestamptz(3) not null
);
create index deletion_plans_expiry on deletion_plans (expires_at);
