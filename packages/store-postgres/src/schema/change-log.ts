import { sql } from 'drizzle-orm';
import { bigint, boolean, customType, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, rawJson, rawJsonb } from './columns.ts';

const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });
const snapshot = customType<{ data: string }>({ dataType: () => 'pg_snapshot' });

/** The entries of the change log, in partitions of a day. Triggers on `resources` write them. */
export const changes = pgTable(
  'changes',
  {
    time: instant('time').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    xid: xid8('xid').notNull(),
    uid: uuid('uid').notNull(),
    revision: bigint('revision', { mode: 'number' }).notNull(),
    removed: boolean('removed').notNull(),
    written: text('written').array().notNull(),
    parentUid: uuid('parent_uid'),
    apiVersion: text('api_version').notNull(),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    discriminator: text('discriminator').notNull(),
    generation: bigint('generation', { mode: 'number' }).notNull(),
    createdAt: instant('created_at').notNull(),
    deletionTimestamp: instant('deletion_timestamp'),
    finalizers: text('finalizers').array().notNull(),
    ownerReferences: rawJsonb('owner_references').notNull(),
    ancestors: text('ancestors').array().notNull(),
    ancestorUids: uuid('ancestor_uids').array().notNull(),
    labels: rawJsonb('labels').notNull(),
    metadata: rawJson('metadata').notNull(),
    spec: rawJson('spec').notNull(),
    status: rawJson('status').notNull(),
    scopeUids: uuid('scope_uids').array(),
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
