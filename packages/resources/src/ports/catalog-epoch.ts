/**
 * Counts the changes of all definitions. Every statement that reads or writes for a request compares it with the
 * epoch at which the request was judged, so that a definition change holds for the next request on every replica
 * without a round trip more (contract 2.16). Null where the definitions do not matter: built-in kinds.
 */
export type CatalogEpoch = number | null;

/** The definitions changed after the request was judged: look them up again and judge anew. Nothing was written. */
export interface CatalogMoved {
  readonly outcome: 'catalogMoved';
}
