import { createHash } from 'node:crypto';
import type { Clock } from '@platform/kernel';
import { type Claims, type IdTokenExpectation, UpstreamFault } from '@platform/oauth-proxy';
import { createLocalJWKSet, errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose';
import type { KeySet, KeySets } from '../documents/key-sets.ts';
import { asUpstream } from './fault.ts';

/**
 * Signature algorithms and the hash of their `at_hash` (OpenID Connect Core, section 3.1.3.6).
 *
 * Attack: `none` needs no key, and with HS256 whoever knows the client secret, every app included, signs for the provider.
 */
const ALGORITHMS: Readonly<Record<string, string>> = {
  RS256: 'sha256',
  RS384: 'sha384',
  RS512: 'sha512',
  PS256: 'sha256',
  PS384: 'sha384',
  PS512: 'sha512',
  ES256: 'sha256',
  ES384: 'sha384',
  ES512: 'sha512',
  EdDSA: 'sha512',
  Ed25519: 'sha512',
};

/** Seconds; as for every external token. */
const CLOCK_TOLERANCE = 30;

/** How long the keys of a provider are believed, in milliseconds. */
export const keySetFreshness = { freshMs: 60_000, staleMs: 60 * 60_000, failureMs: 2_000 } as const;

/** Verifies an ID token as OpenID Connect Core section 3.1.3.7 says; throws `invalid_id_token`. */
export async function verifyIdToken(
  keySets: KeySets,
  clock: Clock,
  idToken: string,
  expected: IdTokenExpectation,
): Promise<Claims> {
  const { jwks_uri: jwksUri, issuer } = expected.metadata;
  if (jwksUri === undefined) throw invalid('the provider publishes no keys');
  const options = {
    algorithms: Object.keys(ALGORITHMS),
    issuer,
    audience: expected.clientId,
    clockTolerance: CLOCK_TOLERANCE,
    currentDate: new Date(clock.now()),
    requiredClaims: ['sub', 'iat', 'exp'],
  };
  const verified = await verifyWith(keySets, jwksUri, (keys) => verifyOnce(idToken, keys, options));
  checkClaims(verified.payload, verified.protectedHeader.alg, expected);
  return verified.payload;
}

/** With the keys that are known, and once more with fresh ones when the token names a key that is not among them. */
async function verifyWith(
  keySets: KeySets,
  jwksUri: string,
  attempt: (keys: KeySet) => Promise<JWTVerifyResult>,
): Promise<JWTVerifyResult> {
  let noSuchKey: unknown;
  const find = async (keys: KeySet) => {
    try {
      return await attempt(keys);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw asFault(error);
      noSuchKey = error;
      return undefined;
    }
  };
  const verified = await asUpstream(() => keySets.findAt(jwksUri, keySetFreshness, find));
  if (verified === undefined) throw asFault(noSuchKey);
  return verified;
}

async function verifyOnce(
  idToken: string,
  keys: KeySet,
  options: Parameters<typeof jwtVerify>[2],
): Promise<JWTVerifyResult> {
  const keySet = createLocalJWKSet({ keys: keys.map((key) => ({ ...key })) as never });
  try {
    return await jwtVerify(idToken, keySet, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // A token without key id, or providers that use one id twice: whichever key fits.
    for await (const key of error) {
      try {
        return await jwtVerify(idToken, key, options);
      } catch (inner) {
        if (!(inner instanceof errors.JWSSignatureVerificationFailed)) throw inner;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function checkClaims(claims: JWTPayload, algorithm: string, expected: IdTokenExpectation): void {
  if (typeof claims.sub !== 'string' || claims.sub === '') throw invalid('it has no subject');
  // Attack: a token that was issued to another client of the provider, with us as a further audience.
  if (claims['azp'] !== undefined && claims['azp'] !== expected.clientId)
    throw invalid('it was issued to another client');
  // Attack: a code or token of another login is put into this one (replay, OpenID Connect Core section 15.5.2).
  if (expected.nonce !== null && claims['nonce'] !== expected.nonce)
    throw invalid('its nonce is not the one that was sent');
  const hash = claims['at_hash'];
  // Attack: the access token beside it was exchanged for another one.
  if (
    hash !== undefined &&
    expected.accessToken !== null &&
    hash !== halfHash(algorithm, expected.accessToken)
  ) {
    throw invalid('its at_hash does not fit the access token');
  }
}

function halfHash(algorithm: string, accessToken: string): string {
  const digest = createHash(ALGORITHMS[algorithm] ?? 'sha256')
    .update(accessToken, 'ascii')
    .digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

function invalid(reason: string, cause?: unknown): UpstreamFault {
  return new UpstreamFault('invalid_id_token', reason, cause);
}

/** jose's code names the fault without quoting the token. */
function asFault(error: unknown): unknown {
  if (error instanceof UpstreamFault) return error;
  if (error instanceof errors.JWTClaimValidationFailed) return invalid(`${error.code} ${error.claim}`, error);
  return invalid(error instanceof errors.JOSEError ? error.code : 'it cannot be read', error);
}
