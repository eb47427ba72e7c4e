-- migrate: create indexes concurrently

-- The collector deletes the oldest first.
create index concurrently reserved_project_names_deletion on reserved_project_names (deleted_at);
