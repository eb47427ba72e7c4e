-- migrate: create indexes concurrently
-- The order of lists across parents, and of selected lists without a label to begin with. It begins with an expression, so that only the
-- statements that spell it out can use it.
create index concurrently resources_by_path on resources ((kind || '.' || api_group), ancestor_path(ancestors), name, uid);
