import { bigint, integer, pgTable, text, timestamp, uuid, varchar } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** One row for each kind of work that one replica does for all: who does it, until when, and whether it is paused. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  holder: text('holder'),
  token: bigint('token', { mode: 'number' }).notNull().default(0),
  expiresAt: timestamp('expires_at', { withTimezone: true, precision: 3 }).notNull(),
  pausedSince: timestamp('paused_since', { withTimezone: true, precision: 3 }),
});

/** Deletions whose dependents are tombstones for every reader before the collector has marked them as deleted; see docs/decisions/0036. */
export const pendingCascades = pgTable('pending_cascades', {
  ownerUid: uuid('owner_uid').primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity().unique(),
  time: instant('time').notNull(),
  change: text('change').array().notNull(),
  apiVersion: text('api_version').notNull(),
  kind: text('kind').notNull(),
  name: text('name').notNull(),
  parentUid: uuid('parent_uid'),
});

/** Counters of rate limits that hold over all replicas. */
export const rateLimits = pgTable('rate_limits', {
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull(),
  expire: bigint('expire', { mode: 'number' }),
});
