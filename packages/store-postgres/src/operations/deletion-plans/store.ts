import type { Sql } from '@platform/postgres';
import { type DeletionPlans, planRetentionMs, type ResourceIdentity } from '@platform/resources';

/** The plans of deletions, for all replicas, on the clock of the database. */
export function createDeletionPlans(sql: Sql): DeletionPlans {
  return {
    async save({ hash, rootUid, resources }) {
      await sql.rows(saveText, [hash, rootUid, JSON.stringify(resources), planRetentionMs / 1_000]);
    },
    async find(hash) {
      const [row] = await sql.rows<readonly [string, string]>(findText, [hash]);
      if (row === undefined) return null;
      return { hash, rootUid: row[0], resources: JSON.parse(row[1]) as ResourceIdentity[] };
    },
  };
}

/** Deletes expired plans. Rows that another transaction has locked are skipped: it deletes them, or renews them. */
export async function deleteExpiredPlans(sql: Sql, limit: number): Promise<number> {
  return (await sql.rows(expiredText, [limit])).length;
}

// The same hash means the same resources, so only the time is new.
const saveText = `
  insert into deletion_plans (hash, root_uid, resources, expires_at)
  values ($1::text, $2::uuid, $3::json, now() + make_interval(secs => $4::float8))
  on conflict (hash) do update set expires_at = excluded.expires_at`;

const findText = `
  select root_uid, resources::text from deletion_plans where hash = $1::text and expires_at > now()`;

const expiredText = `
  delete from deletion_plans where hash = any (array(
    select hash from deletion_plans where expires_at <= now() order by expires_at limit $1::bigint for update skip locked))
  returning hash`;
