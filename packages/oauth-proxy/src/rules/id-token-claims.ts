import { createHash } from 'node:crypto';
import type { Claims } from '../model/flow.ts';

/**
 * Claims about the upstream's own token response: its client (`azp`), code (`c_hash`), state (`s_hash`), access token (`at_hash`,
 * which is computed again) and nonce.
 */
const droppedClaims = new Set(['azp', 'c_hash', 's_hash', 'at_hash', 'nonce']);

/** The values of the new token. */
export interface Issuance {
  readonly issuer: string;
  readonly clientId: string;
  /** The nonce of the app; null omits it. */
  readonly nonce: string | null;
  /** The access token of the same response; null without one. */
  readonly accessToken: string | null;
}

/** The claims of the proxy's ID token, from the verified claims of the upstream's. `sub` and the times are kept. */
export function proxyIdTokenClaims(upstream: Claims, issuance: Issuance): Claims {
  const kept = Object.entries(upstream).filter(([name]) => !droppedClaims.has(name));
  return {
    ...Object.fromEntries(kept),
    iss: issuance.issuer,
    aud: issuance.clientId,
    upstream_iss: upstream['iss'],
    ...(issuance.nonce === null ? {} : { nonce: issuance.nonce }),
    ...(issuance.accessToken === null ? {} : { at_hash: accessTokenHash(issuance.accessToken) }),
  };
}

/** `at_hash` for an RS256 token: the left half of the SHA-256 of the access token (OpenID Connect Core, section 3.1.3.6). */
export function accessTokenHash(accessToken: string): string {
  return createHash('sha256').update(accessToken, 'ascii').digest().subarray(0, 16).toString('base64url');
}
