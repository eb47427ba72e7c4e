import type { ExternalKeys, TrustedIssuers } from '@platform/tokens';
import { isDiscoverable } from './discovery.ts';
import { IssuerKeys, type IssuerKeysDeps } from './issuer-keys.ts';

/** What looking up external keys needs. */
export interface JwksKeysDeps extends IssuerKeysDeps {
  readonly trustedIssuers: TrustedIssuers;
  /** Most issuers whose keys are kept at once; 500 unless given. */
  readonly maxIssuers?: number;
}

const DEFAULT_MAX_ISSUERS = 500;

/** The signing keys of trusted external issuers, through discovery and JWKS. */
export function createJwksKeys(deps: JwksKeysDeps): ExternalKeys {
  const issuers = new Map<string, IssuerKeys>();
  const maxIssuers = deps.maxIssuers ?? DEFAULT_MAX_ISSUERS;

  /** The least recently used issuer makes room. */
  function keysOf(issuer: string): IssuerKeys {
    const keys = issuers.get(issuer) ?? new IssuerKeys(issuer, deps);
    issuers.delete(issuer);
    issuers.set(issuer, keys);
    const [oldest] = issuers.keys();
    if (issuers.size > maxIssuers && oldest !== undefined) issuers.delete(oldest);
    return keys;
  }

  return {
    async find(issuer, kid) {
      // Attack: a token names any address as its issuer, and the service goes there.
      if (!isDiscoverable(issuer) || !(await deps.trustedIssuers.isTrusted(issuer))) return undefined;
      return keysOf(issuer).find(kid);
    },
  };
}
