import type { AbuseLimits } from '../../http/abuse-limits.ts';
import type { Route } from '../route.ts';
import { type Encrypt, encrypt } from './encrypt.ts';
import { identityToken, type MintWorkloadToken } from './identity-token.ts';

/** What the identity endpoints are made of. */
export interface IdentityParts {
  readonly mintWorkloadToken: MintWorkloadToken;
  readonly encrypt: Encrypt;
  readonly limits: AbuseLimits;
}

/** Workload identity and the encryption of secrets. */
export function identityRoutes(parts: IdentityParts): readonly Route[] {
  return [identityToken(parts.mintWorkloadToken, parts.limits), encrypt(parts.encrypt, parts.limits)];
}
