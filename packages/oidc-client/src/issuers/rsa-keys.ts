import type { ExternalKey } from '@platform/tokens';
import jwksRsa, { type JwksClient } from 'jwks-rsa';
import { LRUCache } from 'lru-cache';
import type { Jwk, KeySet } from '../documents/key-sets.ts';

/** 2048 to 8192 bits, in characters of base64url. */
const modulusLength = { min: 342, max: 1366 } as const;
/** 2048 bits. */
const minModulusBytes = 256;
const maxExponentLength = 8;
const maxKidLength = 256;
/** Enough for several keys of each issuer. */
const maxKeys = 2_000;
/** A version of a key set is used so long. Each version has its own client. */
const clientCacheMs = 60 * 60_000;

/** Finds a key of a key set by its `kid`, with jwks-rsa, which imports each key once. */
export class RsaKeys {
  readonly #clients = new WeakMap<KeySet, JwksClient | null>();
  readonly #keys = new LRUCache<string, ExternalKey>({ max: maxKeys });

  async find(keys: KeySet, kid: string): Promise<ExternalKey | undefined> {
    const client = this.#clientOf(keys);
    // Attack: for an unknown `kid`, jwks-rsa imports every key of the set, so tokens with invented ids would cause a lot of work.
    if (client === null || !keys.some((key) => key['kid'] === kid)) return undefined;
    const key = await client.getSigningKey(kid).catch(() => undefined);
    return key && this.#same({ kid, pem: key.getPublicKey() });
  }

  #clientOf(keys: KeySet): JwksClient | null {
    let client = this.#clients.get(keys);
    if (client === undefined) {
      client = clientFor(candidatesOf(keys));
      this.#clients.set(keys, client);
    }
    return client;
  }

  /** An unchanged key stays the same object, so that a reader need not parse it again. */
  #same(key: ExternalKey): ExternalKey {
    const id = `${key.kid} ${key.pem}`;
    const known = this.#keys.get(id) ?? key;
    this.#keys.set(id, known);
    return known;
  }
}

function clientFor(candidates: readonly Jwk[]): JwksClient | null {
  if (candidates.length === 0) return null;
  return jwksRsa({
    jwksUri: '',
    fetcher: () => Promise.resolve({ keys: candidates }),
    cache: true,
    cacheMaxEntries: candidates.length,
    cacheMaxAge: clientCacheMs,
  });
}

/**
 * The keys that may sign RS256. Leaves out keys of other types, for other uses and algorithms, without `kid`, or too short, and all keys
 * with the same `kid`, because it is ambiguous.
 */
function candidatesOf(keys: KeySet): readonly Jwk[] {
  const candidates = keys.filter(isCandidate);
  return candidates.filter((one) =>
    candidates.every((other) => other === one || other['kid'] !== one['kid']),
  );
}

function isCandidate({ kty, use, alg, kid, n, e }: Jwk): boolean {
  return (
    kty === 'RSA' &&
    (use === undefined || use === 'sig') &&
    (alg === undefined || alg === 'RS256') &&
    isText(kid, 1, maxKidLength) &&
    isText(n, modulusLength.min, modulusLength.max) &&
    isLongEnough(n) &&
    isText(e, 1, maxExponentLength)
  );
}

/** Attack: a short modulus is filled up with leading zeros, or with characters that readers of base64url skip, to look like a long one. */
function isLongEnough(modulus: string): boolean {
  const bytes = Buffer.from(modulus, 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  return first !== -1 && bytes.length - first >= minModulusBytes;
}

function isText(value: unknown, min: number, max: number): value is string {
  return typeof value === 'string' && value.length >= min && value.length <= max;
}
