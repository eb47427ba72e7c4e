-- How far the delivery to the receiver of each Subscription is; docs/subscriptions.md describes it. Without a foreign key, so that the
-- removal of a resource touches no other table: the collector deletes rows whose subscription is gone.
create table subscription_deliveries (
  subscription_uid uuid primary key,
  cursor text not null,
  generation bigint not null,
  attempts integer not null,
  failing_since timestamptz(3),
  next_attempt_at timestamptz(3) not null,
  failure text,
  paused text,
  reported text not null
);
