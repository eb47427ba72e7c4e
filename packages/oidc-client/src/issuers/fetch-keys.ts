import { type Outbound, OutboundFailed } from '@platform/kernel';
import type { ExternalKey } from '@platform/tokens';
import jwksRsa from 'jwks-rsa';

/** A member of a JWKS that says it is an RSA signing key; nothing of it is checked beyond that. */
type CandidateKey = Readonly<Record<string, unknown>> & { readonly kid: string };

/** More than any issuer publishes. */
const MAX_KEYS = 100;
/** 2048 to 8192 bits, in characters of base64url. Attack: a tenant's key of a million bits takes minutes to use. */
const MODULUS_LENGTH = { min: 342, max: 1366 } as const;
const MAX_EXPONENT_LENGTH = 8;
const MAX_KID_LENGTH = 256;

/**
 * The keys that a JWKS offers for RS256, by `kid`. Keys of other types, for other uses and algorithms, without
 * `kid`, or too short are left out; of two with one `kid`, both, because nobody can tell which is meant.
 * jwks-rsa reads the keys; the document reaches it through the guarded outbound module.
 */
export async function fetchKeys(
  outbound: Outbound,
  jwksUri: string,
): Promise<ReadonlyMap<string, ExternalKey>> {
  const candidates = candidatesOf(await outbound.getJson(jwksUri));
  if (candidates.length === 0) return new Map();
  const client = jwksRsa({
    jwksUri,
    cache: false,
    rateLimit: false,
    fetcher: () => Promise.resolve({ keys: candidates }),
  });
  const keys = new Map<string, ExternalKey>();
  for (const key of await client.getSigningKeys()) {
    if (key.kid !== undefined) keys.set(key.kid, { kid: key.kid, pem: key.getPublicKey() });
  }
  return keys;
}

function candidatesOf(document: unknown): readonly CandidateKey[] {
  const { keys } = (document ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new OutboundFailed('bad_response', 'the JWKS has no keys');
  const candidates = keys.slice(0, MAX_KEYS).filter(isCandidate);
  return candidates.filter((one) => candidates.every((other) => other === one || other.kid !== one.kid));
}

function isCandidate(key: unknown): key is CandidateKey {
  if (typeof key !== 'object' || key === null) return false;
  const { kty, use, alg, kid, n, e } = key as Readonly<Record<string, unknown>>;
  return (
    kty === 'RSA' &&
    (use === undefined || use === 'sig') &&
    (alg === undefined || alg === 'RS256') &&
    isText(kid, 1, MAX_KID_LENGTH) &&
    isText(n, MODULUS_LENGTH.min, MODULUS_LENGTH.max) &&
    isText(e, 1, MAX_EXPONENT_LENGTH)
  );
}

function isText(value: unknown, min: number, max: number): boolean {
  return typeof value === 'string' && value.length >= min && value.length <= max;
}
