-- migrate: create indexes concurrently
-- The order in which names are searched, over all kinds: whole names, prefixes, and parts of names without reading the rows. No row has
-- that uid: the condition keeps other statements, which know more than the name, from choosing this index.
create index concurrently resources_search on resources (name, uid) where uid <> '00000000-0000-0000-0000-000000000000';
