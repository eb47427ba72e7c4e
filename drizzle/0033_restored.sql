-- Restored resources by the uid that they had before: what belonged to a removed parent or owner finds the restored one. Entries of other
-- operations are not in it.
create index changes_restored on changes ((metadata #>> '{annotations,platform.dev/restored-from}')) where written[1] = 'restore';
