import type { LockedRow, LockWait } from '@platform/garbage-collector';
import { arrayLiteral, parseArrayLiteral, type Sql } from '@platform/postgres';
import { isProtected } from '../resources/dependents.ts';

/** The columns of the row itself; its dependents and owners are read after it is locked. */
export type RowItself = Pick<
  LockedRow,
  'identity' | 'revision' | 'tombstoned' | 'protected' | 'finalizers' | 'owners'
>;

type Row = readonly [
  uid: string,
  apiVersion: string,
  kind: string,
  name: string,
  parentUid: string | null,
  revision: number,
  tombstoned: boolean,
  isProtected: boolean,
  finalizers: string,
  ownerReferences: string,
];

/**
 * Locks the rows that exist `FOR UPDATE`. This conflicts with the `FOR KEY SHARE` of creates below them and of new references to them.
 * `uids` must be sorted: all transactions lock rows in uid order.
 */
export async function lockBatch(
  sql: Sql,
  uids: readonly string[],
  lockWait: LockWait,
): Promise<readonly RowItself[]> {
  const rows = await sql.rows<Row>(lockWait === 'skip' ? skipText : waitText, [arrayLiteral(uids)]);
  return rows.map(
    ([
      uid,
      apiVersion,
      kind,
      name,
      parentUid,
      revision,
      tombstoned,
      isProtected,
      finalizers,
      references,
    ]) => ({
      identity: { apiVersion, kind, name, uid, parentUid },
      revision,
      tombstoned,
      protected: isProtected,
      finalizers: parseArrayLiteral(finalizers),
      owners: references === '[]' ? noOwners : ownersIn(references),
    }),
  );
}

const noOwners: LockedRow['owners'] = [];

function ownersIn(references: string): LockedRow['owners'] {
  const entries = JSON.parse(references) as readonly { uid: string; blockOwnerDeletion?: boolean }[];
  return entries.map(({ uid, blockOwnerDeletion }) => ({
    uid: uid.toLowerCase(),
    blocking: blockOwnerDeletion === true,
  }));
}

const textWith = (lock: string) => `
  select r.* from unnest($1::uuid[]) as wanted (uid)
  cross join lateral (
    select uid, api_version, kind, name, parent_uid, revision, deletion_timestamp is not null, ${isProtected('resources')},
      finalizers::text, owner_references::text
    from resources where uid = wanted.uid ${lock}
  ) as r`;

const skipText = textWith('for update skip locked');
const waitText = textWith('for update');
