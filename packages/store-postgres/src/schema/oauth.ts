import { customType, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, rawJson } from './columns.ts';
import { extensions } from './projects.ts';

/** A SHA-256 hash, stored as bytes and handled as lower-case hex. */
const sha256 = customType<{ data: string; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  toDriver: (hex) => Buffer.from(hex, 'hex'),
  fromDriver: (bytes) => Buffer.from(bytes).toString('hex'),
});

const code = {
  hash: sha256('hash').primaryKey(),
  extensionUid: uuid('extension_uid').notNull(),
  sealed: text('sealed').notNull(),
  expiresAt: instant('expires_at').notNull(),
};

/** The states of authorization requests to upstream providers. */
export const oauthStates = pgTable('oauth_states', code);

/** Authorization codes that apps have not redeemed. */
export const oauthCodes = pgTable('oauth_codes', code);

const key = {
  sequence: integer('sequence').notNull(),
  publicKey: rawJson('public_key').notNull(),
  sealedPrivateKey: text('sealed_private_key').notNull(),
  createdAt: instant('created_at').notNull(),
};

/** The keys that sign the ID tokens of the extensions. */
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
