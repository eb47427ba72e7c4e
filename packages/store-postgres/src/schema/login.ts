import { sql } from 'drizzle-orm';
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
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
