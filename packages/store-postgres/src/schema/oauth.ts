import { customType, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, rawJson } from './columns.ts';

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

/** The keys that ID tokens of the proxy are signed with. */
export const oauthSigningKeys = pgTable('oauth_signing_keys', {
  sequence: integer('sequence').primaryKey(),
  publicKey: rawJson('public_key').notNull(),
  sealedPrivateKey: text('sealed_private_key').notNull(),
  createdAt: instant('created_at').notNull(),
});
