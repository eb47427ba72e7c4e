import type { DeliveryState, StoredSubscription, SubscriptionStore } from '@platform/change-log';
import type { Fence } from '@platform/garbage-collector';
import type { Sql, Statements } from '@platform/postgres';
import { platformGroup, type ResourceHistory, type StatusCommand } from '@platform/resources';
import { heldLease } from '../garbage-collector/lease.ts';
import { lockRow } from '../resources/lock-row.ts';
import { isLive } from '../resources/pending-cascades.ts';
import { replaceStatus } from '../resources/replace-status.ts';
import { columnsOf, toResource } from '../resources/row.ts';

type StateRow = readonly [
  cursor: string | null,
  generation: number,
  attempts: number,
  failingSince: number | null,
  nextAttemptAt: number,
  failure: string | null,
  paused: DeliveryState['paused'],
  reported: DeliveryState['reported'],
];

const stateWidth = 8;

/** The Subscriptions with the progress of their delivery. */
export function createSubscriptionStore(
  sql: Sql,
  history: Pick<ResourceHistory, 'entries'>,
): SubscriptionStore {
  return {
    async list(limit) {
      return (await sql.rows(listText, [limit])).map(
        (row): StoredSubscription => ({
          resource: toResource(row, stateWidth),
          state: toState(row as unknown as StateRow),
        }),
      );
    },

    async save(uid, state, { holder, token }) {
      const { cursor, generation, attempts, failingSince, nextAttemptAt, failure, paused, reported } = state;
      const rows = await sql.rows(saveText, [
        ...[uid, holder, token, cursor, generation, attempts],
        ...[failingSince, nextAttemptAt, failure, paused, reported],
      ]);
      return rows.length === 1;
    },

    async createdAt(uid) {
      const before = { revision: 1, seq: Number.MAX_SAFE_INTEGER };
      const [entry] = await history.entries(uid, { limit: 1, before, scopes: null });
      return entry ?? null;
    },
  };
}

/** Deletes at most `limit` states of subscriptions that no longer exist, and returns how many. */
export async function deleteLostSubscriptions(sql: Sql, limit: number): Promise<number> {
  return (await sql.rows(deleteLostText, [limit])).length;
}

function toState(row: StateRow): DeliveryState | null {
  const [cursor, generation, attempts, failingSince, nextAttemptAt, failure, paused, reported] = row;
  if (cursor === null) return null;
  return { cursor, generation, attempts, failingSince, nextAttemptAt, failure, paused, reported };
}

const milliseconds = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;
const instant = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`;

const listText = `
  select d.cursor, d.generation, d.attempts, ${milliseconds('d.failing_since')}, ${milliseconds('d.next_attempt_at')},
    d.failure, d.paused, d.reported, ${columnsOf('r')}
  from resources r left join subscription_deliveries d on d.subscription_uid = r.uid
  where r.parent_uid is null and r.api_group = '${platformGroup}' and r.kind = 'Subscription' and ${isLive('r')}
  order by r.name limit $1::bigint`;

// The row of the lease is locked, so that a new leader reads what the last one has stored.
const saveText = `
  with leads as materialized (${heldLease('$2::text', '$3::bigint')})
  insert into subscription_deliveries as d
    (subscription_uid, cursor, generation, attempts, failing_since, next_attempt_at, failure, paused, reported)
  select $1::uuid, $4::text, $5::bigint, $6::int, ${instant('$7')}, ${instant('$8')}, $9::text, $10::text, $11::text
  from leads where exists (select from resources where uid = $1::uuid)
  on conflict (subscription_uid) do update set cursor = excluded.cursor, generation = excluded.generation,
    attempts = excluded.attempts, failing_since = excluded.failing_since, next_attempt_at = excluded.next_attempt_at,
    failure = excluded.failure, paused = excluded.paused, reported = excluded.reported
  returning d.subscription_uid`;

const deleteLostText = `
  delete from subscription_deliveries where subscription_uid = any (array(
    select d.subscription_uid from subscription_deliveries d
    where not exists (select from resources r where r.uid = d.subscription_uid) limit $1::bigint for update skip locked))
  returning subscription_uid`;

/** Writes a status slot while the fence of the collector holds; false, and nothing is written, when it does not. */
export function replaceStatusWhileLeading(
  database: Statements,
  command: StatusCommand,
  { holder, token }: Fence,
): Promise<boolean> {
  return database.withLockRetry((inner) =>
    inner.transaction(async (sql) => {
      // The row first, because its lock may be waited for: nobody can renew the lease while that is locked.
      await lockRow(sql, command.ref, command.definition);
      if ((await sql.rows(leadsText, [holder, token])).length === 0) return false;
      await replaceStatus(sql, command);
      return true;
    }),
  );
}

const leadsText = heldLease('$1::text', '$2::bigint');
