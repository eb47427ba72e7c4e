import { createHash } from 'node:crypto';
import { createKnownKeyStore } from '@platform/store-postgres';
import type { Infrastructure } from './infrastructure.ts';
import type { TokenServices } from './tokens.ts';

type KeyNames = Parameters<ReturnType<typeof createKnownKeyStore>['record']>[0];

/** Characters of the hash of a secret: enough to tell secrets apart. They do not help to guess one, because each token allows the same test. */
const idLength = 12;

/** Notes the keys that this process starts with, for `platform keys`. */
export async function recordKeys(
  { config: { encryption, server }, store }: Pick<Infrastructure, 'config' | 'store'>,
  { keyIds }: Pick<TokenServices, 'keyIds'>,
): Promise<void> {
  await createKnownKeyStore(store.database).record([
    ...named(
      'encryption',
      encryption.keys.map(({ id }) => id),
    ),
    ...named('sessions', server.jwt_signing_secrets.map(hashOf)),
    ...named('identity', keyIds),
  ]);
}

function named(purpose: KeyNames[number]['purpose'], ids: readonly string[]): KeyNames {
  return [...new Set(ids)].map((id) => ({ purpose, id }));
}

function hashOf(secret: string): string {
  return createHash('sha256').update(Buffer.from(secret, 'base64')).digest('hex').slice(0, idLength);
}
