import type { Endpoint } from '../../endpoint/descriptor.ts';
import { type Encrypt, encrypt } from './encrypt.ts';
import { identityToken, type MintWorkloadToken } from './identity-token.ts';

/** The dependencies of the identity endpoints. */
export interface IdentityDeps {
  readonly mintWorkloadToken: MintWorkloadToken;
  readonly encrypt: Encrypt;
}

/** Workload identity and the encryption of secrets. */
export const identityEndpoints: readonly Endpoint<IdentityDeps>[] = [identityToken, encrypt];
