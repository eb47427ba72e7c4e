-- migrate: create indexes concurrently
-- The rows that a deletion must not reach. It is empty where nobody uses the protection.
create index concurrently resources_protected on resources (uid) where deletion_protected and deletion_timestamp is null;
