-- migrate: create indexes concurrently
-- Over expressions, so that only the statements that spell them out can use them. An index that contains a column can be walked from end to
-- end for a condition on it: on an empty table that looks as good as a look-up, and a plan made then stays.

-- One discriminator among siblings of every kind; root rows are siblings of each other.
create unique index concurrently resources_sibling_discriminator
  on resources (discriminator, coalesce(parent_uid, '00000000-0000-0000-0000-000000000000'::uuid));

-- Instances of a kind by stored version: definition changes and removals.
create index concurrently resources_instances on resources ((api_group || '/' || kind), api_version);
