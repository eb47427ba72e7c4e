-- Counters of rate limits that hold over all replicas; the layout is rate-limiter-flexible's.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  -- Milliseconds since the epoch.
  expire bigint
);
create index rate_limits_expiry on rate_limits (expire);
