import { bigint, integer, pgTable, varchar } from 'drizzle-orm/pg-core';

/** Counters of rate limits that hold over all replicas. */
export const rateLimits = pgTable('rate_limits', {
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull(),
  expire: bigint('expire', { mode: 'number' }),
});
