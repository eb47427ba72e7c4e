/**
 * The definition that a request was resolved with. Every statement of the request compares it with what it sees, so a definition
 * change takes effect for the next request on every replica without another round trip. Null where there is nothing to compare:
 * built-in kinds, and kinds that no definition claims.
 *
 * `version` must be another value after every create, change of spec, tombstone and removal of that definition, whoever makes it
 * (SQL by hand included), when that commits; and when a definition above it appears, disappears or names another parent. It must never
 * return to an earlier value, and it has no order: after a failover that lost a change, or a restore, it is the value of then.
 */
export type DefinitionVersion = { readonly uid: string; readonly version: string } | null;
