import { bigint, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** One row for each kind of work that one replica does for all: who does it, until when, and whether it is paused. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  holder: text('holder'),
  token: bigint('token', { mode: 'number' }).notNull().default(0),
  expiresAt: timestamp('expires_at', { withTimezone: true, precision: 3 }).notNull(),
  pausedSince: timestamp('paused_since', { withTimezone: true, precision: 3 }),
});
