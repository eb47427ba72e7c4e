import type { Clock } from '@platform/kernel';
import { readToken } from '../jws/read-token.ts';
import { type ExternalClaims, type ExternalRefusal, validateExternal } from '../kinds/external.ts';
import type { ExternalKeys } from '../ports/external-keys.ts';
import type { SignatureVerifier } from '../ports/signatures.ts';

/**
 * Why a bearer or subject token, or the token in a session cookie, was refused, for operators. The caller gets the same answer in every case.
 * - `issued_here`: it names the platform as issuer, or came in the platform's cookie, and is no valid session or access token, perhaps an
 *   expired one;
 * - `claims`: it has another algorithm, no `kid`, or lacks a claim that every token has;
 * - `times`: it has expired, is not valid yet or too old, or its `exp`, `nbf` or `iat` is no date;
 * - `unknown_key`: its issuer is not trusted or not reachable, or does not publish its key;
 * - `no_match`: the token is valid, but matches no service account or controller;
 * - `session_ended`: its session was logged out, revoked or signed out.
 */
export type TokenRefusal =
  | ExternalRefusal
  | 'malformed'
  | 'issued_here'
  | 'unknown_key'
  | 'signature'
  | 'no_match'
  | 'session_ended';

/** The dependencies of the verification of external tokens. */
export interface VerifyExternalDeps {
  /** `server.public_url`. Tokens of the platform itself are never external. */
  readonly issuer: string;
  readonly externalKeys: ExternalKeys;
  readonly signatures: SignatureVerifier;
  readonly clock: Clock;
  /** `auth.external_token_max_age_seconds`; absent for no limit. */
  readonly maxAgeSeconds?: number | undefined;
  /** Called once for each token that is refused. */
  readonly onRefused?: (reason: TokenRefusal) => void;
}

/**
 * The claims of a valid token of a trusted external issuer, or undefined. Its owner is looked up later. The work depends on the
 * token alone: a missing key costs a signature check as well.
 */
export async function verifyExternal(
  deps: VerifyExternalDeps,
  token: string,
): Promise<ExternalClaims | undefined> {
  const refused = (reason: TokenRefusal) => {
    deps.onRefused?.(reason);
    return undefined;
  };
  const read = readToken(token);
  if (read === undefined) return refused('malformed');
  // The issuer guard. Attack: a session or a workload token of the platform is exchanged for an access token.
  if (read.claims.iss === deps.issuer) return refused('issued_here');
  const external = validateExternal(read, Math.floor(deps.clock.now() / 1000), deps.maxAgeSeconds);
  if (typeof external === 'string') return refused(external);
  const key = await deps.externalKeys.find(external.claims.iss, external.kid);
  if (deps.signatures.verifyExternal(token, key)) return external.claims;
  return refused(key === undefined ? 'unknown_key' : 'signature');
}
