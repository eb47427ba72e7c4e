-- Revisions of typed resources: 1 when created, one more with each change.

alter table projects add column revision bigint not null default 1 check (revision > 0);
alter table teams add column revision bigint not null default 1 check (revision > 0);
alter table environments add column revision bigint not null default 1 check (revision > 0);
alter table service_accounts add column revision bigint not null default 1 check (revision > 0);
alter table deployments add column revision bigint not null default 1 check (revision > 0);
alter table extensions add column revision bigint not null default 1 check (revision > 0);
