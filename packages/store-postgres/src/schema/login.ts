import { sql } from 'drizzle-orm';
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** The users, by issuer and subject. */
export const users = pgTable('users', {
  uid: uuid('uid').primaryKey(),
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  email: text('email').notNull(),
  createdAt: instant('created_at').notNull().default(sql`now()`),
  updatedAt: instant('updated_at').notNull().default(sql`now()`),
});

/** Used states, which have no sealed record, and one-time values that have not been used. */
export const loginOnce = pgTable('login_once', {
  hash: text('hash').primaryKey(),
  sealed: text('sealed'),
  expiresAt: instant('expires_at').notNull(),
});

/** Logins of devices without a browser. */
export const deviceAuthorizations = pgTable('device_authorizations', {
  deviceHash: text('device_hash').primaryKey(),
  userCodeHash: text('user_code_hash').notNull(),
  state: text('state').$type<'pending' | 'approved' | 'denied'>().notNull().default('pending'),
  clientId: text('client_id').notNull(),
  scope: text('scope').notNull(),
  address: text('address').notNull(),
  userAgent: text('user_agent').notNull(),
  intervalSeconds: integer('interval_seconds').notNull(),
  nextPollAt: instant('next_poll_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});
