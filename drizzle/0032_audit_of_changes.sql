-- Audit is searched by who, by request and by kind; without these, a search that finds little reads the whole change log. The log is as
-- young as these indexes where it matters: the release that adds it adds them.
create index changes_actor on changes (lower(written[3] collate "C"), time, seq);
create index changes_request on changes ((written[4]), time, seq);
-- An expression, so that statements about one kind below a parent keep to their own index.
create index changes_audit_kind on changes ((kind || ''), time, seq);
