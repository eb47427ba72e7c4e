import type { Logger } from '@platform/kernel';
import type { ExternalKeys, TrustedIssuers } from '@platform/tokens';
import { isDiscoverable } from '../documents/discovery.ts';
import type { ProviderDocuments } from '../documents/provider-documents.ts';
import { RsaKeys } from './rsa-keys.ts';

/** The dependencies of {@link createJwksKeys}. */
export interface JwksKeysDeps {
  readonly documents: ProviderDocuments;
  readonly logger: Logger;
  readonly trustedIssuers: TrustedIssuers;
}

/** How long the keys of an issuer are cached, in milliseconds. */
export const issuerFreshness = {
  freshMs: 10 * 60_000,
  staleMs: 60 * 60_000,
  failureMs: 5_000,
} as const;

/** The signing keys of trusted external issuers, through discovery and JWKS. */
export function createJwksKeys({ documents, logger, trustedIssuers }: JwksKeysDeps): ExternalKeys {
  const rsaKeys = new RsaKeys();
  return {
    async find(issuer, kid) {
      // Attack: a token names any address as its issuer, and the service goes there.
      if (!isDiscoverable(issuer) || !(await trustedIssuers.isTrusted(issuer))) return undefined;
      const failed = (error: unknown) =>
        logger.warn('issuer keys could not be fetched', {
          issuer,
          reason: (error as { reason?: unknown }).reason ?? 'unusable',
          detail: (error as { message?: unknown }).message,
        });
      return await documents.keySets
        .findOf(issuer, issuerFreshness, (keys) => rsaKeys.find(keys, kid), failed)
        .catch(() => undefined);
    },
  };
}
