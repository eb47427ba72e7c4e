-- Replaced by the indexes of the migration before. The foreign key of parent_uid walked all of resources_discriminator_key for each row that
-- was deleted.
alter table resources drop constraint resources_discriminator_key;
drop index resources_versions;
