import { integer, json, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, rawJson } from './columns.ts';

/** The answers of requests with idempotency keys. */
export const answeredRequests = pgTable('answered_requests', {
  keyHash: text('key_hash').primaryKey(),
  bodyHash: text('body_hash').notNull(),
  status: integer('status').notNull(),
  headers: json('headers').notNull(),
  body: text('body').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/** The plans of deletions that were shown. */
export const deletionPlans = pgTable('deletion_plans', {
  hash: text('hash').primaryKey(),
  rootUid: uuid('root_uid').notNull(),
  resources: rawJson('resources').notNull(),
  expiresAt: instant('expires_at').notNull(),
});
