import { sql } from 'drizzle-orm';
import { bigint, boolean, customType, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { stateColumns } from './resources.ts';

const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });
const snapshot = customType<{ data: string }>({ dataType: () => 'pg_snapshot' });

/** The entries of the change log, in partitions of a day. Triggers on `resources` write them. */
export const changes = pgTable(
  'changes',
  {
    ...stateColumns,
    time: instant('time').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    xid: xid8('xid').notNull(),
    uid: uuid('uid').notNull(),
    revision: bigint('revision', { mode: 'number' }).notNull(),
    removed: boolean('removed').notNull(),
    written: text('written').array().notNull(),
    discriminator: text('discriminator').notNull(),
    generation: bigint('generation', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.time, table.seq] })],
);

/** How far the log is, one row a tick; see docs/change-log.md. */
export const changeTicks = pgTable('change_ticks', {
  tick: bigint('tick', { mode: 'number' }).primaryKey(),
  time: instant('time').notNull(),
  mark: bigint('mark', { mode: 'number' }).notNull(),
  snapshot: snapshot('snapshot').notNull(),
  floor: bigint('floor', { mode: 'number' }).notNull(),
});

/** One row: the newest tick, and the database that the cursors belong to. */
export const changeLog = pgTable('change_log', {
  singleton: boolean('singleton').primaryKey(),
  store: uuid('store').notNull().default(sql`gen_random_uuid()`),
  systemIdentifier: bigint('system_identifier', { mode: 'bigint' }).notNull(),
  tick: bigint('tick', { mode: 'number' }).notNull(),
  mark: bigint('mark', { mode: 'number' }).notNull(),
  snapshot: snapshot('snapshot').notNull(),
  floor: bigint('floor', { mode: 'number' }).notNull(),
});

/** The progress of the delivery to the receiver of each Subscription. */
export const subscriptionDeliveries = pgTable('subscription_deliveries', {
  subscriptionUid: uuid('subscription_uid').primaryKey(),
  cursor: text('cursor').notNull(),
  generation: bigint('generation', { mode: 'number' }).notNull(),
  attempts: integer('attempts').notNull(),
  failingSince: instant('failing_since'),
  nextAttemptAt: instant('next_attempt_at').notNull(),
  failure: text('failure'),
  paused: text('paused'),
  reported: text('reported').notNull(),
});
