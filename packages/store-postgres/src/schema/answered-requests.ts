import { integer, json, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** The answers of requests with idempotency keys. */
export const answeredRequests = pgTable('answered_requests', {
  keyHash: text('key_hash').primaryKey(),
  bodyHash: text('body_hash').notNull(),
  status: integer('status').notNull(),
  headers: json('headers').notNull(),
  body: text('body').notNull(),
  expiresAt: instant('expires_at').notNull(),
});
