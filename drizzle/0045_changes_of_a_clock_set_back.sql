-- Entries from before the oldest partition of the change log: the clock of the database was ahead until older partitions were dropped, and was
-- set back, or a standby with a slower clock took over. The collector deletes them by their time, as it does with entries that audit keeps.
create table changes_other partition of changes default;
