import { type Clock, type Outbound, OutboundError } from '@platform/kernel';
import type { DiscoveryCache } from './discovery.ts';
import { type CacheLimits, type Freshness, StaleWhileErrorCache } from './stale-while-error-cache.ts';

/** A public key as it was published (RFC 7517). */
export type Jwk = Readonly<Record<string, unknown>>;

/** The keys of one fetch. Each fetch creates a new array, so its identity is the version of the key set. */
export type KeySet = readonly Jwk[];

/** The minimum interval between fetches because of unknown key ids, in milliseconds. */
export const unknownKidMs = 30_000;

/** The maximum number of keys of a key set. */
const maxKeys = 100;
/** The length of 8192 bits in base64url. Attack: a huge key of a tenant makes each verification take minutes. */
const maxMemberLength = 1366;

/** The maximum size of the keys of one set as JSON, in characters: several times that of the largest providers. */
const maxSetSize = 64 * 1024;

/** The most items of a list in a key: there are eight `key_ops` (RFC 7517 section 4.3), and certificate chains are shorter. */
const maxListLength = 20;

/** How a reader fetches a key set, and how long it may be cached. */
interface Source {
  readonly key: string;
  readonly fetch: () => Promise<KeySet>;
  readonly freshness: Freshness;
}

/** A cache of the key sets of all issuers and providers, shared by all readers. */
export class KeySetCache {
  readonly #sets: StaleWhileErrorCache<KeySet>;
  readonly #outbound: Outbound;
  readonly #discoveries: DiscoveryCache;

  constructor(outbound: Outbound, clock: Clock, discoveries: DiscoveryCache, limits: CacheLimits) {
    this.#outbound = outbound;
    this.#discoveries = discoveries;
    this.#sets = new StaleWhileErrorCache(clock, limits);
  }

  /** The keys at a URL. */
  get(jwksUri: string, freshness: Freshness): Promise<KeySet> {
    return this.#sets.get(jwksUri, () => this.#fetch(jwksUri), freshness);
  }

  /** Fetches the keys at a URL now; rejects if that fails. */
  fetch(jwksUri: string): Promise<KeySet> {
    return this.#sets.fetch(jwksUri, () => this.#fetch(jwksUri));
  }

  /** Searches the keys at a URL; see {@link #find}. */
  findAt<T>(jwksUri: string, freshness: Freshness, find: Find<T>): Promise<T | undefined> {
    return this.#find({ key: jwksUri, fetch: () => this.#fetch(jwksUri), freshness }, find);
  }

  /** Searches the keys of an issuer, found by discovery. `failed` is called with the error if they cannot be fetched. */
  findOf<T>(
    issuer: string,
    freshness: Freshness,
    find: Find<T>,
    failed: (error: unknown) => void,
  ): Promise<T | undefined> {
    const fetch = async () => {
      try {
        const { metadata } = await this.#discoveries.get(issuer, freshness);
        if (metadata.jwks_uri === undefined)
          throw new OutboundError('bad_response', 'the discovery document has no jwks_uri');
        return await this.#fetch(metadata.jwks_uri);
      } catch (error) {
        // The URL of the keys may have changed.
        this.#discoveries.expire(issuer);
        failed(error);
        throw error;
      }
    };
    return this.#find({ key: issuer, fetch, freshness }, find);
  }

  /**
   * Calls `find`. If it finds nothing in cached keys, fetches them again and calls it once more.
   *
   * Attack: a flood of tokens with invented key ids makes the service flood the issuer; see {@link unknownKidMs}.
   */
  async #find<T>({ key, fetch, freshness }: Source, find: Find<T>): Promise<T | undefined> {
    const before = this.#sets.peek(key);
    const keys = await this.#sets.get(key, fetch, freshness);
    const found = await find(keys);
    if (found !== undefined || keys !== before) return found;
    const current = await this.#sets.refetch(key, fetch, { ...freshness, intervalMs: unknownKidMs });
    return current === null ? undefined : await find(current);
  }

  async #fetch(url: string): Promise<KeySet> {
    const document = await this.#outbound.getJson(url);
    const { keys } = (document ?? {}) as { keys?: unknown };
    if (!Array.isArray(keys)) throw new OutboundError('bad_response', 'the key set has no keys');
    return kept(keys.slice(0, maxKeys).filter(isUsable).map(flat));
  }
}

/**
 * The keys of a set that are kept. Certificates repeat the key and are optional (RFC 7517, section 4.7), so those of a large set are left out;
 * then the first keys are kept.
 */
function kept(keys: KeySet): KeySet {
  if (sizeOf(keys) <= maxSetSize) return keys;
  let left = maxSetSize;
  return keys
    .map(({ x5c: _, ...key }) => key)
    .filter((key) => {
      const size = sizeOf(key);
      if (size > left) return false;
      left -= size;
      return true;
    });
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

/** Searches a key set; undefined if there is no match. */
export type Find<T> = (keys: KeySet) => Promise<T | undefined>;

function isUsable(key: unknown): key is Jwk {
  if (typeof key !== 'object' || key === null || Array.isArray(key)) return false;
  return ['n', 'e', 'x', 'y', 'kid'].every((member) => {
    const value = (key as Jwk)[member];
    return value === undefined || (typeof value === 'string' && value.length <= maxMemberLength);
  });
}

/**
 * The members of a key that are texts, numbers, truth values and short lists of texts. Others are ignored, as members that a reader does not
 * know (RFC 7517 section 4).
 *
 * Attack: a provider publishes a key with thousands of `key_ops`, of which jose compares each with all others for every token that it
 * verifies, or one that is nested too deeply to be written as JSON.
 */
function flat(key: Jwk): Jwk {
  return Object.fromEntries(Object.entries(key).filter(([, value]) => isFlat(value)));
}

function isFlat(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value !== 'object';
  return value.length <= maxListLength && value.every((item) => typeof item === 'string');
}
