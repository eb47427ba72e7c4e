import { bigint, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** How far the delivery to the receiver of each Subscription is. */
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
