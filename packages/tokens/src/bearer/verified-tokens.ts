import { LRUCache } from 'lru-cache';

/** The principal of a verified token, and when the token expires. */
interface Entry<T> {
  readonly value: T;
  /** Seconds since the epoch. */
  readonly expires: number;
}

/**
 * Caches the principals of verified tokens until they expire, so that a token is verified once and not with
 * every request. Bounded: the least recently used entry makes room. Keys are hashes, so that neither memory
 * nor a dump of it holds tokens. Refusals are not cached, so that only valid tokens take room.
 */
export class VerifiedTokens<T> {
  readonly #entries: LRUCache<string, Entry<T>>;

  constructor(capacity: number) {
    this.#entries = new LRUCache({ max: capacity });
  }

  /** The principal of the token, or undefined when it is not cached or has expired at `now` (seconds). */
  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expires > now) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Remembers it until `expires` (seconds). */
  set(key: string, value: T, expires: number): void {
    this.#entries.set(key, { value, expires });
  }

  get size(): number {
    return this.#entries.size;
  }
}
