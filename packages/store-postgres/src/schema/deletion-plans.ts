import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, rawJson } from './columns.ts';

/** The plans of deletions that were shown. */
export const deletionPlans = pgTable('deletion_plans', {
  hash: text('hash').primaryKey(),
  rootUid: uuid('root_uid').notNull(),
  resources: rawJson('resources').notNull(),
  expiresAt: instant('expires_at').notNull(),
});
