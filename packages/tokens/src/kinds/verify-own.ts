import { readToken } from '../jws/read-token.ts';
import type { SignatureVerifier } from '../ports/signatures.ts';
import type { CommonClaims, IssuedKind } from './kind.ts';

/** What a token of the platform must say, exactly. */
export interface Expectations {
  /** `server.public_url`. */
  readonly issuer: string;
  readonly audience: string;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** Why a token is not what it was taken for. For logs and tests; callers only learn that it was refused. */
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

/** The claims of a genuine token of the kind, or why it is none. */
export type Verdict<Claims> =
  | { readonly ok: true; readonly claims: Claims }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * The one verifier of issued tokens: algorithm, `typ`, issuer, audience, claim shape and times are pinned by
 * the kind, so that no token is accepted as another kind. The platform's own clocks get no leeway.
 */
export function verifyOwn<Input, Claims extends CommonClaims>(
  kind: IssuedKind<Input, Claims>,
  token: string,
  expected: Expectations,
  signatures: SignatureVerifier,
): Verdict<Claims> {
  const read = readToken(token);
  if (read === undefined) return refused('malformed');
  const { header, claims } = read;
  // Attack: `none`, or HS256 with the published key as the secret. The algorithm is the kind's, never the token's.
  if (header.alg !== kind.alg) return refused('algorithm');
  // Attack: a token of another kind under the same key (RFC 8725 section 3.11).
  if (header.typ !== kind.typ && !(kind.typOptional && header.typ === undefined)) return refused('type');
  if (claims.iss !== expected.issuer) return refused('issuer');
  // Attack: an array that names this audience beside another's. Own tokens have exactly one, as text.
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
