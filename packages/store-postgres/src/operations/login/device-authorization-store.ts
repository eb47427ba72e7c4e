import type { DeviceAuthorizationStore } from '@platform/login';
import type { Sql } from '@platform/postgres';
import { and, eq, sql as expression, gt, lte } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { clockMarginMs } from '../../maintenance.ts';
import { instantOf } from '../../schema/columns.ts';
import { deviceAuthorizations as table } from '../../schema/index.ts';

/** How long expired logins are kept: their devices learn that they expired, also from an API whose clock is behind. */
const keptMs = clockMarginMs;

/** Approves a device and stores what it gets. One statement, so that an approved device always has a record. */
const approval = `
  with approved as (
    update device_authorizations set state = 'approved'
    where user_code_hash = $1::text and state = 'pending' and expires_at > $2::timestamptz
    returning device_hash, expires_at)
  insert into login_once (hash, sealed, expires_at)
  select device_hash, $3::text, expires_at from approved returning hash`;

/** Logins of devices, for all replicas. */
export function createDeviceAuthorizationStore(sql: Sql): DeviceAuthorizationStore {
  const pending = (userCodeHash: string, now: number) =>
    and(
      eq(table.userCodeHash, userCodeHash),
      eq(table.state, 'pending'),
      gt(table.expiresAt, instantOf(now)),
    );
  return {
    async save({ createdAt, expiresAt, interval, ...facts }) {
      const values = {
        ...facts,
        intervalSeconds: interval,
        nextPollAt: instantOf(createdAt),
        expiresAt: instantOf(expiresAt),
      };
      const stored = await query(sql, (db) =>
        db
          .insert(table)
          .values(values)
          .onConflictDoNothing({ target: table.userCodeHash })
          .returning({ hash: table.deviceHash }),
      );
      return stored.length === 1;
    },
    async findPending(userCodeHash, now) {
      const { clientId, scope, address, userAgent } = table;
      const [row] = await query(sql, (db) =>
        db.select({ clientId, scope, address, userAgent }).from(table).where(pending(userCodeHash, now)),
      );
      return row ?? null;
    },
    async approve(userCodeHash, sealed, now) {
      const stored = await sql.rows(approval, [userCodeHash, instantOf(now), sealed]);
      return stored.length === 1;
    },
    // One statement: the first of concurrent decisions locks the row, and the others find it decided.
    async deny(userCodeHash, now) {
      const denied = await query(sql, (db) =>
        db
          .update(table)
          .set({ state: 'denied' })
          .where(pending(userCodeHash, now))
          .returning({ hash: table.deviceHash }),
      );
      return denied.length === 1;
    },
    async find(deviceHash) {
      const { state, expiresAt } = table;
      const [row] = await query(sql, (db) =>
        db.select({ state, expiresAt }).from(table).where(eq(table.deviceHash, deviceHash)),
      );
      return row === undefined ? null : { state: row.state, expiresAt: Date.parse(row.expiresAt) };
    },
    async poll(deviceHash, now) {
      const at = instantOf(now);
      const onTime = await query(sql, (db) =>
        db
          .update(table)
          .set({ nextPollAt: next(at) })
          .where(and(eq(table.deviceHash, deviceHash), lte(table.nextPollAt, at)))
          .returning({ hash: table.deviceHash }),
      );
      if (onTime.length === 1) return true;
      await query(sql, (db) =>
        db
          .update(table)
          .set({ intervalSeconds: expression`${table.intervalSeconds} + 5`, nextPollAt: next(at, 5) })
          .where(eq(table.deviceHash, deviceHash)),
      );
      return false;
    },
    async deleteExpired(now, limit) {
      const expired = query(sql, (db) => {
        // Rows that another transaction has locked are skipped: it deletes them.
        const oldest = db
          .select({ hash: table.deviceHash })
          .from(table)
          .where(lte(table.expiresAt, instantOf(now - keptMs)))
          .orderBy(table.expiresAt)
          .limit(limit)
          .for('update', { skipLocked: true });
        return db
          .delete(table)
          .where(expression`${table.deviceHash} = any (array(${oldest}))`)
          .returning({ hash: table.deviceHash });
      });
      return (await expired).length;
    },
  };
}

/** An interval after `at`, with `more` seconds. */
function next(at: string, more = 0) {
  return expression`${at}::timestamptz + make_interval(secs => ${table.intervalSeconds} + ${more}::int)`;
}
