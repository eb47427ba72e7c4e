import type { Clock } from '@platform/kernel';
import { readToken } from '../jws/read-token.ts';
import { type ExternalClaims, judgeExternal } from '../kinds/external.ts';
import type { ExternalKeys } from '../ports/external-keys.ts';
import type { SignatureVerifier } from '../ports/signatures.ts';

/** What verifying external tokens needs. */
export interface VerifyExternalDeps {
  /** `server.public_url`: what it issued itself is never external. */
  readonly issuer: string;
  readonly externalKeys: ExternalKeys;
  readonly signatures: SignatureVerifier;
  readonly clock: Clock;
}

/**
 * The claims of a genuine, current token of a trusted external issuer, or undefined. Whom it stands for is
 * not known yet. The work depends on the token alone: a missing key costs a signature check as well.
 */
export async function verifyExternal(
  deps: VerifyExternalDeps,
  token: string,
): Promise<ExternalClaims | undefined> {
  const read = readToken(token);
  if (read === undefined) return undefined;
  // The issuer guard. Attack: a session or a workload token of the platform is exchanged for an access token.
  if (read.claims.iss === deps.issuer) return undefined;
  const external = judgeExternal(read, Math.floor(deps.clock.now() / 1000));
  if (external === undefined) return undefined;
  const key = await deps.externalKeys.find(external.claims.iss, external.kid);
  return deps.signatures.verifyExternal(token, key) ? external.claims : undefined;
}
