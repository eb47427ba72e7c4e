import {
  type AnyPgColumn,
  bigint,
  boolean,
  pgTable,
  primaryKey,
  text,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { instant, rawJson, rawJsonb } from './columns.ts';

/** The columns of a resource's state that the entries of the change log have as well. */
export const stateColumns = {
  parentUid: uuid('parent_uid'),
  apiVersion: text('api_version').notNull(),
  kind: text('kind').notNull(),
  name: text('name').notNull(),
  createdAt: instant('created_at').notNull(),
  deletionTimestamp: instant('deletion_timestamp'),
  finalizers: text('finalizers').array().notNull(),
  ownerReferences: rawJsonb('owner_references').notNull(),
  ancestors: text('ancestors').array().notNull(),
  ancestorUids: uuid('ancestor_uids').array().notNull(),
  labels: rawJsonb('labels').notNull(),
  metadata: rawJson('metadata').notNull(),
  spec: rawJson('spec').notNull(),
  status: rawJson('status').notNull(),
  scopeUids: uuid('scope_uids').array(),
};

/** The one table of resources. Constraints and indexes are in `drizzle/`; a test holds the columns together. */
export const resources = pgTable('resources', {
  ...stateColumns,
  uid: uuid('uid').primaryKey(),
  parentUid: uuid('parent_uid').references((): AnyPgColumn => resources.uid),
  revision: bigint('revision', { mode: 'number' }).notNull().default(1),
  generation: bigint('generation', { mode: 'number' }).notNull().default(1),
  updatedAt: instant('updated_at').notNull(),
  discriminator: varchar('discriminator', { length: 8 }).notNull(),
  apiGroup: text('api_group').notNull(),
  definitionPlural: text('definition_plural'),
  definitionGroup: text('definition_group'),
  definitionKind: text('definition_kind'),
  definitionVersion: uuid('definition_version'),
  definitionParent: text('definition_parent'),
  deletionProtected: boolean('deletion_protected').notNull().default(false),
  written: text('written').array(),
  writtenRevision: bigint('written_revision', { mode: 'number' }),
  deletion: text('deletion').array(),
});

/** The labels by which lists are selected: `key=value` and `key` of each label, written by triggers. */
export const resourceLabels = pgTable(
  'resource_labels',
  {
    label: text('label').notNull(),
    apiGroup: text('api_group').notNull(),
    kind: text('kind').notNull(),
    path: text('path').notNull(),
    name: text('name').notNull(),
    uid: uuid('uid').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.label, table.apiGroup, table.kind, table.path, table.name, table.uid] }),
  ],
);

/** One row: the version of all definitions together. */
export const catalogEpoch = pgTable('catalog_epoch', {
  singleton: boolean('singleton').primaryKey(),
  /** The number of changes, which no release reads any more. */
  epoch: bigint('epoch', { mode: 'number' }).notNull(),
  version: uuid('version').notNull().defaultRandom(),
});

/** One row: the version of roles and bindings. */
export const accessRules = pgTable('access_rules', {
  singleton: boolean('singleton').primaryKey(),
  version: uuid('version').notNull(),
  rolesCreated: boolean('roles_created').notNull(),
});
