import { type Blocker, type LockedRow, ownersOf } from '@platform/garbage-collector';
import { arrayLiteral, type Sql } from '@platform/postgres';
import type { ResourceIdentity } from '@platform/resources';
import { anyProtected, blocksOwner, isChildOf, isOwnedBy, isProtected } from '../resources/dependents.ts';
import type { RowItself } from './lock-batch.ts';

type DependentRow = readonly [owner: string, uid: string, revision: number, live: boolean, blocking: boolean];
type ProtectedRow = readonly [owner: string, uid: string, revision: number];
type OwnerRow = readonly [
  uid: string,
  apiVersion: string,
  kind: string,
  name: string,
  parentUid: string | null,
  tombstoned: boolean,
];

/**
 * Reads the dependents and owners of locked rows outside the batch. Each look-up stops one row after the number of dependents inside the
 * batch, so that a wide owner costs no more than the size of the batch, and rows of the batch need not be filtered out.
 */
export async function lookOutside(sql: Sql, rows: readonly RowItself[]): Promise<readonly LockedRow[]> {
  const batch = new Map(rows.map((row) => [row.identity.uid, row]));
  const uids = [...batch.keys()];
  const inside = countInside(rows, batch);
  const owners = arrayLiteral(uids);
  const childrenInside = arrayLiteral(uids.map((uid) => inside.get(uid)?.children ?? 0));
  const ownedInside = arrayLiteral(uids.map((uid) => inside.get(uid)?.owned ?? 0));
  // Protected dependents before the others: one that loses its protection between the two statements is in both, and would be in neither
  // the other way round. None becomes protected meanwhile, because that takes a lock on its owner.
  const [awaited, children, owned, tombstonedOwners] = await Promise.all([
    sql.rows<ProtectedRow>(protectedText, [owners, ownedInside]),
    sql.rows<DependentRow>(childrenText, [owners, childrenInside]),
    sql.rows<DependentRow>(ownedText, [owners, ownedInside]),
    findTombstonedOwners(sql, rows, batch),
  ]);
  const blockers = new Map<string, Blocker>();
  const liveOutside = new Set<string>();
  for (const [owner, uid, revision, live, blocking] of [...children, ...owned]) {
    if (batch.has(uid)) continue;
    if (!blocking) liveOutside.add(owner);
    else if (!blockers.has(owner)) blockers.set(owner, { uid, revision, live });
  }
  // The dependent that was found does not block, but another one may.
  const unclear = [...liveOutside].filter((uid) => !blockers.has(uid));
  for (const [owner, uid, revision, live] of await findBlocking(sql, unclear, inside)) {
    if (!batch.has(uid) && !blockers.has(owner)) blockers.set(owner, { uid, revision, live });
  }
  const protectedOutside = new Map<string, Blocker>();
  for (const [owner, uid, revision] of awaited)
    if (!batch.has(uid)) protectedOutside.set(owner, { uid, revision, live: true });
  return rows.map((row) => {
    const { uid } = row.identity;
    return {
      ...row,
      blocker: blockers.get(uid) ?? null,
      liveOutside: liveOutside.has(uid),
      protectedOutside: protectedOutside.get(uid) ?? null,
      tombstonedOwners: row.tombstoned
        ? []
        : ownersOf(row).flatMap((owner) => tombstonedOwners.get(owner) ?? []),
    };
  });
}

type Counts = ReadonlyMap<string, { readonly children: number; readonly owned: number }>;

function countInside(rows: readonly RowItself[], batch: ReadonlyMap<string, RowItself>): Counts {
  const counts = new Map<string, { children: number; owned: number }>();
  const of = (uid: string) => {
    const known = counts.get(uid) ?? { children: 0, owned: 0 };
    counts.set(uid, known);
    return known;
  };
  for (const { identity, owners } of rows) {
    if (identity.parentUid !== null && batch.has(identity.parentUid)) of(identity.parentUid).children += 1;
    for (const { uid } of owners) if (batch.has(uid)) of(uid).owned += 1;
  }
  return counts;
}

/** Reads the tombstoned parents and owners outside the batch: the reason why live rows are in it. */
async function findTombstonedOwners(
  sql: Sql,
  rows: readonly RowItself[],
  batch: ReadonlyMap<string, RowItself>,
): Promise<ReadonlyMap<string, ResourceIdentity>> {
  const wanted = new Set(rows.flatMap((row) => (row.tombstoned ? [] : ownersOf(row))));
  const outside = [...wanted].filter((uid) => !batch.has(uid));
  if (outside.length === 0) return new Map();
  const found = await sql.rows<OwnerRow>(ownersText, [arrayLiteral(outside)]);
  return new Map(
    found.flatMap(([uid, apiVersion, kind, name, parentUid, tombstoned]) =>
      tombstoned ? [[uid, { apiVersion, kind, name, uid, parentUid }]] : [],
    ),
  );
}

async function findBlocking(
  sql: Sql,
  uids: readonly string[],
  inside: Counts,
): Promise<readonly DependentRow[]> {
  if (uids.length === 0) return [];
  const counts = uids.map((uid) => inside.get(uid)?.owned ?? 0);
  return await sql.rows<DependentRow>(blockingText, [arrayLiteral(uids), arrayLiteral(counts)]);
}

const dependents = (blocking: string, condition: string, order = '') => `
  select owner.uid, dependent.* from unnest($1::uuid[], $2::int[]) as owner (uid, inside)
  cross join lateral (
    select d.uid, d.revision, d.deletion_timestamp is null, ${blocking}
    from resources d where ${condition} ${order} limit owner.inside + 1
  ) as dependent`;

const blocks = blocksOwner('owner.uid', 'd');
// In index order, otherwise a bitmap of all children is built to find the first. An index scan also marks the entries of removed rows, so that
// the next scan skips them.
const childrenText = dependents(
  'true',
  isChildOf('owner.uid', 'd'),
  'order by d.parent_uid, d.api_group, d.kind, d.name',
);
const ownedText = dependents(
  blocks,
  `${isOwnedBy('owner.uid', 'd')} and (d.deletion_timestamp is null and not d.deletion_protected or ${blocks})`,
);
const blockingText = dependents('true', `${isOwnedBy('owner.uid', 'd')} and ${blocks}`);

// Without protected rows, which is usual, the condition on them is decided once and nothing is looked up.
const protectedText = `
  select owner.uid, dependent.* from unnest($1::uuid[], $2::int[]) as owner (uid, inside)
  cross join lateral (
    select d.uid, d.revision from resources d
    where ${anyProtected} and ${isOwnedBy('owner.uid', 'd')} and ${isProtected('d')} limit owner.inside + 1
  ) as dependent`;

// `deletion_timestamp is not null` is a column and not a condition: as a condition, the planner may choose the index over tombstones and read all
// of it for each owner.
const ownersText = `
  select o.* from unnest($1::uuid[]) as wanted (uid)
  cross join lateral (
    select uid, api_version, kind, name, parent_uid, deletion_timestamp is not null from resources
    where uid = wanted.uid
  ) as o`;
