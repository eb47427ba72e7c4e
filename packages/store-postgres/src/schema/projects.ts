import type { OAuthExtensionSpec, StoredClientSecret } from '@platform/oauth-proxy';
import type { ChildRecords } from '@platform/projects';
import type { ClaimPatterns } from '@platform/tokens';
import { sql } from 'drizzle-orm';
import { bigint, boolean, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, parsedJson } from './columns.ts';

/** 1 when created, one more with each change. */
const revision = () => bigint('revision', { mode: 'number' }).notNull().default(1);

/** Teams of people, below an Organization. */
export const teams = pgTable('teams', {
  uid: uuid('uid').primaryKey(),
  name: text('name').notNull(),
  organizationUid: uuid('organization_resource_uid').notNull(),
  revision: revision(),
  createdAt: instant('created_at').notNull().default(sql`now()`),
});

/** The people of a team. */
export const teamMembers = pgTable(
  'team_members',
  {
    teamUid: uuid('team_uid')
      .notNull()
      .references(() => teams.uid),
    email: text('email').notNull(),
    role: text('role', { enum: ['owner', 'member'] }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamUid, table.email] })],
);

/** Projects, below an Organization. */
export const projects = pgTable('projects', {
  uid: uuid('uid').primaryKey(),
  name: text('name').notNull(),
  organizationUid: uuid('organization_resource_uid').notNull(),
  accessClass: text('access_class', { enum: ['public', 'private'] }).notNull(),
  url: text('url').notNull(),
  urlOrigin: text('url_origin').notNull(),
  customDomains: text('custom_domains').array().notNull(),
  ownerUser: text('owner_user'),
  ownerTeam: uuid('owner_team').references(() => teams.uid),
  members: text('members').array().notNull(),
  revision: revision(),
  createdAt: instant('created_at').notNull().default(sql`now()`),
});

/** The addresses of projects, which a trigger keeps up with `projects`. */
export const projectAddresses = pgTable(
  'project_addresses',
  {
    projectUid: uuid('project_uid')
      .notNull()
      .references(() => projects.uid),
    address: text('address').notNull(),
    origin: text('origin').notNull(),
    isUrl: boolean('is_url').notNull(),
    contested: boolean('contested').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.projectUid, table.address] })],
);

/** Names of projects that were deleted, which a trigger writes. */
export const reservedProjectNames = pgTable('reserved_project_names', {
  name: text('name').primaryKey(),
  deletedAt: instant('deleted_at').notNull(),
});

const child = {
  uid: uuid('uid').primaryKey(),
  projectUid: uuid('project_uid')
    .notNull()
    .references(() => projects.uid),
  name: text('name').notNull(),
  revision: revision(),
  createdAt: instant('created_at').notNull().default(sql`now()`),
};

/** Reads stored claim patterns, without a prototype, so that no claim name can meet an inherited member. */
export function readClaims(text: string): ClaimPatterns {
  return Object.assign(Object.create(null), JSON.parse(text)) as ClaimPatterns;
}
const claims = parsedJson(readClaims);
const extensionSpec = parsedJson<OAuthExtensionSpec>(JSON.parse);
const clientSecrets = parsedJson<readonly StoredClientSecret[]>(JSON.parse);

/** Environments of projects. */
export const environments = pgTable('environments', child);

/** Service accounts of projects. */
export const serviceAccounts = pgTable('service_accounts', {
  ...child,
  email: text('email').notNull(),
  issuerUrl: text('issuer_url').notNull(),
  claims: claims('claims').notNull(),
});

/** Deployments of projects. */
export const deployments = pgTable('deployments', {
  ...child,
  environment: text('environment').notNull(),
  credentialHash: text('credential_hash').notNull(),
  credentialExpiresAt: instant('credential_expires_at'),
  credentialCreatedBy: text('credential_created_by'),
  credentialLastUsedAt: instant('credential_last_used_at'),
  previousCredentialHash: text('previous_credential_hash'),
  previousCredentialExpiresAt: instant('previous_credential_expires_at'),
});

/** Extensions of projects. */
export const extensions = pgTable('extensions', {
  ...child,
  spec: extensionSpec('spec').notNull(),
  sealedUpstreamSecret: text('sealed_upstream_secret').notNull(),
  clientSecrets: clientSecrets('client_secrets').notNull(),
  /** A trigger writes it; it follows from the names. */
  clientId: text('client_id'),
});

/** The table of each kind below projects. Its columns have the names of the members of a record. */
export const childTables = { environments, serviceAccounts, deployments, extensions } satisfies {
  readonly [Name in keyof ChildRecords]: { readonly $inferSelect: ChildRecords[Name] };
};
