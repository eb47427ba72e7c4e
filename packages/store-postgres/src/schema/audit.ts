import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, rawJson } from './columns.ts';

/** The audit records; partitions are in `drizzle/`. */
export const auditRecords = pgTable('audit_records', {
  time: instant('time').notNull(),
  id: uuid('id').notNull(),
  action: text('action').notNull(),
  outcome: text('outcome').notNull(),
  actorType: text('actor_type').notNull(),
  actorId: text('actor_id').notNull(),
  requestId: text('request_id'),
  sourceAddress: text('source_address'),
  userAgent: text('user_agent'),
  resource: rawJson('resource'),
  resourceUid: uuid('resource_uid'),
  kind: text('kind'),
  project: text('project'),
  reason: text('reason'),
  details: rawJson('details').notNull(),
});
