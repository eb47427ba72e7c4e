import { readToken } from '../jws/read-token.ts';
import type { SignatureVerifier } from '../ports/signatures.ts';
import type { CommonClaims, IssuedKind } from './kind.ts';

/** The required claims of a token of the platform. */
export interface Expectations {
  /** `server.public_url`. */
  readonly issuer: string;
  readonly audience: string;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** The reason for rejecting a token, for logs and tests. Callers only learn that it was rejected. */
export type Refusal =
  | 'malformed'
  | 'algorithm'
  | 'type'
  | 'issuer'
  | 'audience'
  | 'shape'
  | 'expired'
  | 'not_yet_valid'
  | 'signature';

/** The claims of a valid token of the kind, or the reason for rejecting it. */
export type VerificationResult<Claims> =
  | { readonly ok: true; readonly claims: Claims }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Verifies a token that the platform issued. The kind determines algorithm, `typ`, issuer, audience, claim shape and times, so that no token
 * is accepted as another kind. There is no clock tolerance.
 */
export function verifyOwn<Input, Claims extends CommonClaims>(
  kind: IssuedKind<Input, Claims>,
  token: string,
  expected: Expectations,
  signatures: SignatureVerifier,
): VerificationResult<Claims> {
  const read = readToken(token);
  if (read === undefined) return refused('malformed');
  const { header, claims } = read;
  // Attack: `none`, or HS256 with the published key as the secret. The kind determines the algorithm, not the token.
  if (header.alg !== kind.alg) return refused('algorithm');
  // Attack: a token of another kind under the same key (RFC 8725 section 3.11).
  if (header.typ !== kind.typ && !(kind.typOptional && header.typ === undefined)) return refused('type');
  if (claims.iss !== expected.issuer) return refused('issuer');
  // Attack: an array with this audience and another one. Tokens of the platform have exactly one, as a string.
  if (claims.aud !== expected.audience) return refused('audience');
  const shaped = kind.shape.safeParse(claims);
  if (!shaped.success) return refused('shape');
  const { exp, nbf } = shaped.data as CommonClaims & { readonly nbf?: number };
  if (exp <= expected.now) return refused('expired');
  if (nbf !== undefined && nbf > expected.now) return refused('not_yet_valid');
  if (!signatures.verifyOwn(token, kind.alg)) return refused('signature');
  return { ok: true, claims: shaped.data };
}

function refused(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}
