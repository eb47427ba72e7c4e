import { isLive } from './pending-cascades.ts';

/**
 * SQL fragments about the immediate dependents of a row, whose uid `owner` is SQL for. Each is one index look-up:
 * structural children by the name index, owner-reference dependents by the GIN index over the owners' uids.
 *
 *        owner
 *       /     \
 *  child      dependent ("ownerReferences" names the owner; may have a parent of its own, even the owner)
 */
export function isChildOf(owner: string, alias: string): string {
  return `${alias}.parent_uid = ${owner}`;
}

/** The row names the owner in its references. The first condition is that of the partial index. */
export function isOwnedBy(owner: string, alias: string): string {
  return `${alias}.owner_references <> '[]' and owner_uids(${alias}.owner_references) @> array[${owner}]`;
}

/** The reference to the owner blocks its deletion. */
export function blocksOwner(owner: string, alias: string): string {
  return `${alias}.owner_references @> jsonb_build_array(jsonb_build_object('uid', ${owner}::text, 'blockOwnerDeletion', true))`;
}

/** SQL of a query for the uids of the dependents that are still live; of each kind of edge at most `limit`. A row that is both comes once. */
export function liveDependents(owner: string, limit = 'null'): string {
  return `
    (select c.uid from resources c where ${isChildOf(owner, 'c')} and ${isLive('c')} limit ${limit})
    union
    (select o.uid from resources o where ${isOwnedBy(owner, 'o')} and ${isLive('o')} limit ${limit})`;
}

/** SQL of a query for the uids of up to `limit` dependents without a tombstone of their own, also those to which a cascade is pending. */
export function unmarkedDependents(owner: string, limit = 'null'): string {
  return `
    (select c.uid from resources c where ${isChildOf(owner, 'c')} and c.deletion_timestamp is null limit ${limit})
    union
    (select o.uid from resources o where ${isOwnedBy(owner, 'o')} and o.deletion_timestamp is null limit ${limit})`;
}

/** The row is live and protected from deletion. Also the condition of the partial index. */
export function isProtected(alias: string): string {
  return `(${alias}.deletion_protected and ${alias}.deletion_timestamp is null)`;
}

/** SQL for whether any row is protected. It does not depend on the rows of the statement, so it is decided once. */
export const anyProtected = `(select exists (select from resources p where ${isProtected('p')}))`;
