import { type Clock, type Outbound, OutboundFailed } from '@platform/kernel';
import type { Discoveries } from './discovery.ts';
import { type Freshness, StaleWhileErrorCache } from './stale-while-error-cache.ts';

/** A public key as it was published (RFC 7517). */
export type Jwk = Readonly<Record<string, unknown>>;

/** The keys that were published together. Another fetch makes another array, so it names one version of them. */
export type KeySet = readonly Jwk[];

/** An unknown key id makes a key set be fetched at most this often, in milliseconds. */
export const unknownKidMs = 30_000;

/** More than any issuer publishes. */
const maxKeys = 100;
/** 8192 bits in characters of base64url. Attack: a tenant's key of a million bits takes minutes to use. */
const maxMemberLength = 1366;

/** How one reader finds a key set and how long it believes it. */
interface Source {
  readonly key: string;
  readonly fetch: () => Promise<KeySet>;
  readonly freshness: Freshness;
}

/** The key sets of all issuers and providers, kept once for every reader. */
export class KeySets {
  readonly #sets: StaleWhileErrorCache<KeySet>;
  readonly #outbound: Outbound;
  readonly #discoveries: Discoveries;

  constructor(outbound: Outbound, clock: Clock, discoveries: Discoveries, maxEntries: number) {
    this.#outbound = outbound;
    this.#discoveries = discoveries;
    this.#sets = new StaleWhileErrorCache(clock, maxEntries);
  }

  /** The keys at an address. */
  get(jwksUri: string, freshness: Freshness): Promise<KeySet> {
    return this.#sets.get(jwksUri, () => this.#fetch(jwksUri), freshness);
  }

  /** What `find` makes of the keys at an address; see {@link #find}. */
  findAt<T>(jwksUri: string, freshness: Freshness, find: Find<T>): Promise<T | undefined> {
    return this.#find({ key: jwksUri, fetch: () => this.#fetch(jwksUri), freshness }, find);
  }

  /** What `find` makes of the keys that the issuer's discovery document names; `failed` is told why they could not be fetched. */
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
          throw new OutboundFailed('bad_response', 'the discovery document has no jwks_uri');
        return await this.#fetch(metadata.jwks_uri);
      } catch (error) {
        // The keys may have moved.
        this.#discoveries.expire(issuer);
        failed(error);
        throw error;
      }
    };
    return this.#find({ key: issuer, fetch, freshness }, find);
  }

  /**
   * Asks `find`, and once more with the keys as they are now when it found nothing in keys that were fetched earlier.
   *
   * Attack: a flood of tokens with invented key ids makes the service flood the issuer; see {@link unknownKidMs}.
   */
  async #find<T>({ key, fetch, freshness }: Source, find: Find<T>): Promise<T | undefined> {
    const before = this.#sets.peek(key);
    const keys = await this.#sets.get(key, fetch, freshness);
    const found = await find(keys);
    if (found !== undefined || keys !== before) return found;
    const now = await this.#sets.refetch(key, fetch, { ...freshness, intervalMs: unknownKidMs });
    return now === null ? undefined : await find(now);
  }

  async #fetch(url: string): Promise<KeySet> {
    const document = await this.#outbound.getJson(url);
    const { keys } = (document ?? {}) as { keys?: unknown };
    if (!Array.isArray(keys)) throw new OutboundFailed('bad_response', 'the key set has no keys');
    return keys.slice(0, maxKeys).filter(isUsable);
  }
}

/** Looks for something in a key set; undefined when it is not there. */
export type Find<T> = (keys: KeySet) => Promise<T | undefined>;

function isUsable(key: unknown): key is Jwk {
  if (typeof key !== 'object' || key === null || Array.isArray(key)) return false;
  return ['n', 'e', 'x', 'y', 'kid'].every((member) => {
    const value = (key as Jwk)[member];
    return value === undefined || (typeof value === 'string' && value.length <= maxMemberLength);
  });
}
