-- Rows that had the annotation before it meant anything. In a transaction of its own: it locks only these rows.
update resources set deletion_protected = true
where metadata #>> '{annotations,platform.dev/deletion-protection}' = 'true' and not deletion_protected;
