import { customType, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, rawJson } from './columns.ts';
import { extensions } from './projects.ts';

const sha256 = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

const flow = {
  hash: sha256('hash').primaryKey(),
  extensionUid: uuid('extension_uid').notNull(),
  sealed: text('sealed').notNull(),
  expiresAt: instant('expires_at').notNull(),
};

/** Logins that are at the upstream. */
export const oauthStates = pgTable('oauth_states', flow);

/** Codes that wait for the app. */
export const oauthCodes = pgTable('oauth_codes', flow);

const key = {
  sequence: integer('sequence').notNull(),
  publicKey: rawJson('public_key').notNull(),
  sealedPrivateKey: text('sealed_private_key').notNull(),
  createdAt: instant('created_at').notNull(),
};

/** The keys that ID tokens of the extensions are signed with. */
export const extensionSigningKeys = pgTable(
  'extension_signing_keys',
  {
    extensionUid: uuid('extension_uid')
      .notNull()
      .references(() => extensions.uid),
    ...key,
  },
  (table) => [primaryKey({ columns: [table.extensionUid, table.sequence] })],
);

/** The keys that all extensions shared in earlier releases. */
export const oauthSigningKeys = pgTable('oauth_signing_keys', {
  ...key,
  sequence: integer('sequence').primaryKey(),
  retiredAt: instant('retired_at').notNull(),
});
