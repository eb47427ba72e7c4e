-- In a transaction of its own: validating takes a lock that lets reads and writes go on.
alter table resources validate constraint resources_definition_has_version;
