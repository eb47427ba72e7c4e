import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** The live sessions. */
export const sessions = pgTable('sessions', {
  id: uuid('id').primaryKey(),
  uid: uuid('user_uid').notNull(),
  email: text('email').notNull(),
  foldedEmail: text('folded_email').notNull(),
  issuer: text('issuer'),
  subject: text('subject'),
  providerSession: text('provider_session'),
  userAgent: text('user_agent').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/** The ends of sessions, until the sessions would have expired. */
export const sessionRevocations = pgTable('session_revocations', {
  key: text('key').primaryKey(),
  endedUntil: instant('ended_until').notNull(),
  revokedAt: instant('revoked_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});
