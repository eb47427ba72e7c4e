import { createHash } from 'node:crypto';
import { type Clock, isNumericDate } from '@platform/kernel';
import { type Claims, type IdTokenExpectation, parseBounded, UpstreamFault } from '@platform/oauth-proxy';
import { createLocalJWKSet, errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose';
import type { KeySet, KeySetCache } from '../documents/key-sets.ts';
import { callUpstream } from './fault.ts';

/**
 * Signature algorithms and the hash of their `at_hash` (OpenID Connect Core, section 3.1.3.6).
 *
 * Attack: `none` needs no key, and with HS256 everybody who knows the client secret can sign for the provider.
 */
const hashOfAlgorithm: Readonly<Record<string, string>> = {
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

/** The algorithms that a provider may sign with. */
export const signatureAlgorithms: readonly string[] = Object.keys(hashOfAlgorithm);

/** Seconds; as for every external token. */
const clockToleranceSeconds = 30;

/** Keys that are tried for a token that does not name one. Attack: each of a hundred keys reads a token of a megabyte again. */
const maxKeysTried = 10;

/** How long the keys of a provider are cached, in milliseconds. */
export const keySetFreshness = { freshMs: 60_000, staleMs: 60 * 60_000, failureMs: 2_000 } as const;

/** Verifies an ID token (OpenID Connect Core section 3.1.3.7); throws `invalid_id_token`. */
export async function verifyIdToken(
  keySets: KeySetCache,
  clock: Clock,
  idToken: string,
  expected: IdTokenExpectation,
): Promise<Claims> {
  const { jwks_uri: jwksUri, issuer } = expected.metadata;
  if (jwksUri === undefined) throw invalid('the provider publishes no keys');
  const options = {
    algorithms: [...signatureAlgorithms],
    issuer,
    audience: expected.clientId,
    clockTolerance: clockToleranceSeconds,
    currentDate: new Date(clock.now()),
    requiredClaims: ['sub', 'iat', 'exp'],
  };
  const verified = await verifyWith(keySets, jwksUri, (keys) => verifyOnce(idToken, keys, options));
  checkClaims(verified.payload, verified.protectedHeader.alg, expected);
  return exactClaims(idToken);
}

/** The claims of a verified token with all digits of their numbers, which the library rounds: a user id may have more than 53 bits. */
function exactClaims(idToken: string): Claims {
  const payload = idToken.split('.')[1] ?? '';
  try {
    return parseBounded(Buffer.from(payload, 'base64url').toString('utf8')) as Claims;
  } catch {
    // The library has read them.
    throw invalid('it has too many claims');
  }
}

/** Verifies with the cached keys, and once more with fresh keys if the token names an unknown key. */
async function verifyWith(
  keySets: KeySetCache,
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
  const verified = await callUpstream(() => keySets.findAt(jwksUri, keySetFreshness, find));
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
    // For a token without key id, or a provider that uses an id twice, any matching key is sufficient.
    let tried = 0;
    for await (const key of error) {
      tried += 1;
      if (tried > maxKeysTried) break;
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
  // The ID token of the proxy keeps the times.
  const noDate = ['exp', 'iat', 'nbf'].find(
    (name) => Object.hasOwn(claims, name) && !isNumericDate(claims[name]),
  );
  if (noDate !== undefined) throw invalid(`its ${noDate} is not a date`);
  // Attack: a token that was issued to another client of the provider, with the platform as a second audience.
  if (claims['azp'] !== undefined && claims['azp'] !== expected.clientId)
    throw invalid('it was issued to another client');
  // Attack: the code or token of another login is injected into this one (replay, OpenID Connect Core section 15.5.2).
  if (expected.nonce !== null && claims['nonce'] !== expected.nonce)
    throw invalid('its nonce is not the one that was sent');
  const hash = claims['at_hash'];
  // Attack: the access token was replaced by another one.
  if (
    hash !== undefined &&
    expected.accessToken !== null &&
    hash !== halfHash(algorithm, expected.accessToken)
  ) {
    throw invalid('its at_hash does not match the access token');
  }
}

function halfHash(algorithm: string, accessToken: string): string {
  const digest = createHash(hashOfAlgorithm[algorithm] ?? 'sha256')
    .update(accessToken, 'ascii')
    .digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

function invalid(reason: string, cause?: unknown): UpstreamFault {
  return new UpstreamFault('invalid_id_token', reason, cause);
}

/** Converts an error of jose. Its code does not contain parts of the token. */
function asFault(error: unknown): unknown {
  if (error instanceof UpstreamFault) return error;
  if (error instanceof errors.JWTClaimValidationFailed) return invalid(`${error.code} ${error.claim}`, error);
  return invalid(error instanceof errors.JOSEError ? error.code : 'it cannot be read', error);
}
