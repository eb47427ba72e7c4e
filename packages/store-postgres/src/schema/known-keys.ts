import { sql } from 'drizzle-orm';
import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** The keys of the configuration, and when processes of the API started with them. */
export const knownKeys = pgTable(
  'known_keys',
  {
    purpose: text('purpose').$type<'encryption' | 'sessions' | 'identity'>().notNull(),
    id: text('id').notNull(),
    firstUsedAt: instant('first_used_at').notNull().default(sql`now()`),
    lastUsedAt: instant('last_used_at').notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.purpose, table.id] })],
);
