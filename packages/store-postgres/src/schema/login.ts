import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** The people who have logged in, by issuer and subject. */
export const users = pgTable('users', {
  uid: uuid('uid').primaryKey(),
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  email: text('email').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

/** States that were used, and codes that were not. */
export const loginOnce = pgTable('login_once', {
  hash: text('hash').primaryKey(),
  sealed: text('sealed'),
  expiresAt: instant('expires_at').notNull(),
});
