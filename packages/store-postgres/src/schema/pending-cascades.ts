import { bigint, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** Deletions whose dependents are tombstones for every reader before the collector has stamped them; see docs/decisions/0036. */
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
