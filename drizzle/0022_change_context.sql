-- The context of writes: who, why, with which request, as which operation, for which deletion. Array members, in their order: operation,
-- type and id of the actor, request id, reason, cascade id, source address, user agent.
--
-- `written` is the context of the last write if `written_revision` is the revision of the row. It is not for rows that the previous release
-- or SQL by hand wrote last. `deletion` is the context of the DELETE that a tombstone comes from; what the collector does inherits it.
alter table resources
  add column written text[],
  add column written_revision bigint,
  add column deletion text[];
