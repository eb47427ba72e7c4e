/**
 * Counts the changes of all definitions. Every statement that reads or writes for a request compares it with the
 * epoch at which the request was judged, so that a definition change holds for the next request on every replica
 * without a round trip more (contract 2.16). Null where the definitions do not matter: built-in kinds.
 *
 * It must grow with every create, change of spec, tombstone and removal of a `platform.dev` ResourceDefinition row, whoever
 * brings it about (somebody in the database included), when that commits. Writes of other kinds leave it where it is.
 */
export type CatalogEpoch = number | null;
